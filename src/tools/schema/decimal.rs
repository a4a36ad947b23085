//! Whether one number is a multiple of another, decided on the decimal digits both are written with:
//! 4.35 is a multiple of 0.01, although no double division says so.

use crate::protocol::json::shortest;

/// Whether `value` is a whole multiple of `step`.
pub(super) fn is_multiple(value: f64, step: f64) -> bool {
    let (Some((digits, exponent)), Some((step_digits, step_exponent))) = (parts(value), parts(step)) else { return false };
    if digits == 0 {
        return true;
    }
    if step_digits == 0 {
        return false;
    }
    let shift = exponent - step_exponent;
    let distance = shift.unsigned_abs();
    if shift >= 0 {
        // digits × 10^shift, modulo the step: kept below the step all along
        let power = power_of_ten(distance, step_digits);
        (digits % step_digits * power).is_multiple_of(step_digits)
    } else if distance > 20 {
        false // the step alone has more digits than the value
    } else {
        digits.is_multiple_of(step_digits * 10u128.pow(distance))
    }
}

/// 10^exponent modulo `modulus`; `modulus` has at most 17 digits, so no product leaves 128 bits.
fn power_of_ten(mut exponent: u32, modulus: u128) -> u128 {
    let (mut power, mut base) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    power
}

/// The number as `digits × 10^exponent`, by the shortest digits that read back as it.
fn parts(number: f64) -> Option<(u128, i32)> {
    if !number.is_finite() {
        return None;
    }
    let (digits, exponent) = shortest(number);
    Some((u128::from(digits), exponent))
}

#[cfg(test)]
mod tests {
    use super::is_multiple;

    #[test]
    fn multiples_are_decided_on_decimal_digits() {
        for (value, step, is) in [
            (4.35, 0.01, true),
            (0.3, 0.1, true),
            (0.0075, 0.0001, true),
            (0.00751, 0.0001, false),
            (1e308, 0.5, true),
            (1e308, 0.123456789, false),
            (12391239123.0, 1e-8, true),
            (7.0, 2.0, false),
            (-6.0, 2.0, true),
            (0.0, 3.0, true),
            (5e-324, 1e300, false),
            (1e300, 5e-324, true),
            (f64::NAN, 1.0, false),
            (f64::INFINITY, 1.0, false),
        ] {
            assert_eq!(is_multiple(value, step), is, "{value} of {step}");
        }
    }
}
