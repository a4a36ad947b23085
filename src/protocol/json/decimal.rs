//! Doubles as decimal text and back, both exact: what is read is the nearest double, what is written are the
//! fewest digits that read back (of two equally near ones the even, as ECMAScript wants it).
//!
//! Ordinary numbers take a short way; the rest is plain arithmetic on large integers. The tables that make the
//! rest fast too would weigh more than everything here, and hardly any document holds such a number.

use std::cmp::Ordering;

/// More significant digits than this decide nothing but whether anything follows.
const DIGITS_READ: usize = 780;
/// The powers of ten that a double holds exactly.
const POWERS: [f64; 23] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22];

/// A decimal number while it is read: `digits × 10^exponent`, and how many digits no longer fitted.
#[derive(Default)]
pub(super) struct Decimal {
    pub(super) is_negative: bool,
    pub(super) digits: u64,
    pub(super) exponent: i64,
    dropped: i64,
}

impl Decimal {
    #[inline]
    pub(super) fn push(&mut self, digit: u8, is_fraction: bool) {
        if self.digits < u64::MAX / 10 {
            self.digits = self.digits * 10 + u64::from(digit);
            self.exponent -= i64::from(is_fraction);
        } else {
            self.dropped += 1;
            self.exponent += i64::from(!is_fraction);
        }
    }

    /// The nearest double; `written` holds all digits. Nothing where there is none.
    pub(super) fn to_double(&self, written: &str) -> Option<f64> {
        let size = if self.digits == 0 { 0.0 } else { self.size(written) };
        size.is_finite().then_some(if self.is_negative { -size } else { size })
    }

    fn size(&self, written: &str) -> f64 {
        if self.exponent > 310 {
            return f64::INFINITY;
        }
        if self.exponent < -350 {
            return 0.0;
        }
        let power = usize::try_from(self.exponent.unsigned_abs()).unwrap_or(0);
        if self.dropped == 0 {
            if self.digits < 1 << 53 && power < POWERS.len() {
                // both are exact, so that one rounding is the only one
                let (digits, power) = (self.digits as f64, POWERS.get(power).copied().unwrap_or(1.0));
                return if self.exponent < 0 { digits / power } else { digits * power };
            }
            if power <= 18 {
                let power = 10u128.pow(u32::try_from(power).unwrap_or(0));
                let digits = u128::from(self.digits);
                if self.exponent >= 0 {
                    return nearest(digits * power, 0, false);
                }
                let shift = digits.leading_zeros();
                let (quotient, rest) = ((digits << shift) / power, (digits << shift) % power);
                return nearest(quotient, -i64::from(shift), rest != 0);
            }
        }
        self.size_of_any(written)
    }

    /// The same by division of large integers, for digits and exponents of any length.
    #[inline(never)]
    fn size_of_any(&self, written: &str) -> f64 {
        let (mut above, mut below) = (Large::from(0), Large::from(1));
        let mut exponent = self.exponent - self.dropped;
        let mut read = 0;
        let mut is_more = false;
        for digit in written.bytes().filter(u8::is_ascii_digit).map(|byte| u32::from(byte - b'0')) {
            if read < DIGITS_READ {
                above.multiply(10, digit);
                read += usize::from(read > 0 || digit > 0);
            } else {
                exponent += 1;
                is_more |= digit > 0;
            }
        }
        if is_more {
            above.multiply(10, 1);
            exponent -= 1;
        }
        if exponent < 0 {
            below.raise(exponent.unsigned_abs());
        } else {
            above.raise(exponent.unsigned_abs());
        }
        // aligned, their ratio is between 1/2 and 2, and 64 steps give 63 bits of it or more
        let shift = i64::from(above.bits()) - i64::from(below.bits());
        if shift < 0 {
            above.shift(shift.unsigned_abs());
        } else {
            below.shift(shift.unsigned_abs());
        }
        let mut quotient = 0u128;
        for _ in 0..64 {
            quotient <<= 1;
            if above.compare(&below) != Ordering::Less {
                above.subtract(&below);
                quotient |= 1;
            }
            above.shift(1);
        }
        nearest(quotient, shift - 63, !above.is_zero())
    }
}

/// The double nearest to `number × 2^exponent` (and a bit more, where there is a rest); a tie goes to the even.
fn nearest(number: u128, exponent: i64, has_rest: bool) -> f64 {
    let zeros = number.leading_zeros();
    let (number, exponent) = (number << zeros, exponent - i64::from(zeros));
    // 53 of the 128 bits stay, fewer at the lower end of the doubles
    let dropped = u32::try_from((-1074 - exponent).max(75)).unwrap_or(u32::MAX);
    let (kept, rest) = if dropped < 128 { (number >> dropped, number << (128 - dropped)) } else { (0, number) };
    let half = 1u128 << 127;
    let is_up = dropped <= 128 && (rest > half || (rest == half && (has_rest || kept & 1 == 1)));
    let kept = u64::try_from(kept).unwrap_or(0) + u64::from(is_up);
    // the highest bit kept stands for itself: it adds one to the exponent field
    let field = u64::try_from(exponent + i64::from(dropped) + 1074).unwrap_or(0);
    if field >= 2046 { f64::INFINITY } else { f64::from_bits((field << 52) + kept) }
}

/// The fewest decimal digits that read back as the size of a finite number, as `digits × 10^exponent`; the
/// last digit is no zero, but for zero itself.
#[must_use]
pub(crate) fn shortest(number: f64) -> (u64, i32) {
    let number = number.abs();
    if number == 0.0 {
        return (0, 0);
    }
    // Up to 15 digits no two decimals share a double, so the first that reads back is the shortest.
    if (1e-7..1e15).contains(&number) {
        for (places, power) in (0..).zip(POWERS) {
            let scaled = number * power + 0.5;
            if scaled >= 1e15 {
                break;
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e15, checked above")]
            let digits = scaled as u64;
            if digits as f64 / power == number {
                return trimmed(digits, -places);
            }
        }
        if let Some(shortest) = shortest_of_ordinary(number) {
            return shortest;
        }
    }
    shortest_of_any(number)
}

/// The same where it takes 16 or 17 digits and all of it fits 128 bits: a third, a coordinate, a sum of prices.
fn shortest_of_ordinary(number: f64) -> Option<(u64, i32)> {
    let (mantissa, exponent, is_edge) = parts(number);
    // the power of ten that leaves 17 digits before the point
    let places = POWERS.iter().position(|power| number * power >= 1e16)?;
    let half = 10u128.pow(u32::try_from(places).ok()?);
    let shift = u32::try_from(1 - exponent).ok().filter(|shift| *shift <= 70)?;
    if is_edge || places > 21 {
        return None;
    }
    // the number is `scaled / 2^shift`, and what lies less than `half` beside `scaled` reads back as it
    let scaled = u128::from(mantissa) * 2 * half;
    let digits = u64::try_from(scaled >> shift).ok().filter(|digits| (10u64.pow(16)..10u64.pow(17)).contains(digits))?;
    for unit in [10, 1] {
        let below = digits / unit * unit;
        let under = scaled - (u128::from(below) << shift);
        let over = (u128::from(unit) << shift) - under;
        let is_under = under < half || (under == half && mantissa & 1 == 0);
        let is_over = over < half || (over == half && mantissa & 1 == 0);
        let is_up = match (is_under, is_over) {
            (false, false) => continue,
            (true, true) if under == over => below / unit % 2 == 1,
            (true, true) => over < under,
            (_, is_over) => is_over,
        };
        let exponent = i32::try_from(places).ok()?;
        return Some(trimmed(below + if is_up { unit } else { 0 }, -exponent));
    }
    None
}

/// A positive number as `mantissa × 2^exponent`, and whether the doubles below it lie twice as close as those above.
fn parts(number: f64) -> (u64, i64, bool) {
    let bits = number.to_bits();
    let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
    (mantissa, i64::try_from(field.max(1)).unwrap_or(0) - 1075, fraction == 0 && field > 1)
}

fn trimmed(mut digits: u64, mut exponent: i32) -> (u64, i32) {
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

/// Digit by digit, for any positive number (Steele and White, 1990): `rest / unit` is what is still to be
/// written, `low` and `high` how far a decimal may lie from it and still read back.
#[inline(never)]
fn shortest_of_any(number: f64) -> (u64, i32) {
    let (mantissa, exponent, is_edge) = parts(number);
    let is_even = mantissa & 1 == 0;
    let edge = u64::from(is_edge);
    let (up, down) = (u64::try_from(exponent).unwrap_or(0), u64::try_from(-exponent).unwrap_or(0));
    let [mut rest, mut unit, mut low, mut high] = [mantissa, 1, 1, 1].map(Large::from);
    rest.shift(up + 1 + edge);
    unit.shift(down + 1 + edge);
    low.shift(up);
    high.shift(up + edge);
    // at most one too small, which the comparison below puts right
    let magnitude = (exponent + i64::from(rest_bits(mantissa))) * 30_103;
    let mut point = i32::try_from((magnitude - 30_103).div_euclid(100_000)).unwrap_or(0);
    let power = u64::from(point.unsigned_abs());
    if point < 0 {
        for large in [&mut rest, &mut low, &mut high] {
            large.raise(power);
        }
    } else {
        unit.raise(power);
    }
    let over = |rest: &Large, high: &Large, unit: &Large| {
        let mut sum = rest.clone();
        sum.add(high);
        let order = sum.compare(unit);
        order == Ordering::Greater || (is_even && order == Ordering::Equal)
    };
    while over(&rest, &high, &unit) {
        unit.multiply(10, 0);
        point += 1;
    }
    let (mut digits, mut count) = (0u64, 0);
    loop {
        for large in [&mut rest, &mut low, &mut high] {
            large.multiply(10, 0);
        }
        let mut digit = 0;
        while rest.compare(&unit) != Ordering::Less {
            rest.subtract(&unit);
            digit += 1;
        }
        count += 1;
        digits = digits * 10 + digit;
        let below = rest.compare(&low);
        let is_low = below == Ordering::Less || (is_even && below == Ordering::Equal);
        let is_high = over(&rest, &high, &unit);
        if !is_low && !is_high && count < 17 {
            continue;
        }
        rest.shift(1);
        let is_up = match (is_low, is_high) {
            (true, false) => false,
            (false, true) => true,
            _ => match rest.compare(&unit) {
                Ordering::Less => false,
                Ordering::Greater => true,
                Ordering::Equal => digits & 1 == 1,
            },
        };
        return trimmed(digits + u64::from(is_up), point - count);
    }
}

fn rest_bits(mantissa: u64) -> u32 {
    u64::BITS - mantissa.leading_zeros()
}

/// A natural number of any size, lowest part first, without zeros at the end.
#[derive(Clone)]
struct Large {
    parts: Vec<u32>,
}

impl From<u64> for Large {
    fn from(number: u64) -> Large {
        let mut large = Large { parts: vec![low_part(number >> 32), low_part(number)] };
        large.parts.reverse();
        large.trim();
        large
    }
}

impl Large {
    fn trim(&mut self) {
        while self.parts.last() == Some(&0) {
            self.parts.pop();
        }
    }

    fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    fn bits(&self) -> u32 {
        let parts = u32::try_from(self.parts.len()).unwrap_or(0);
        parts * 32 - self.parts.last().map_or(0, |part| part.leading_zeros())
    }

    /// Multiplies by `factor` and adds `more`.
    fn multiply(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for part in &mut self.parts {
            carry += u64::from(*part) * u64::from(factor);
            *part = low_part(carry);
            carry >>= 32;
        }
        if carry > 0 {
            self.parts.push(low_part(carry));
        }
    }

    /// Multiplies by 10^`power`.
    fn raise(&mut self, power: u64) {
        for _ in 0..power / 9 {
            self.multiply(1_000_000_000, 0);
        }
        for _ in 0..power % 9 {
            self.multiply(10, 0);
        }
    }

    /// Multiplies by 2^`bits`.
    fn shift(&mut self, bits: u64) {
        self.multiply(1 << (bits % 32), 0);
        if bits >= 32 && !self.is_zero() {
            let mut shifted = vec![0; usize::try_from(bits / 32).unwrap_or(0)];
            shifted.append(&mut self.parts);
            self.parts = shifted;
        }
    }

    fn add(&mut self, other: &Large) {
        if self.parts.len() < other.parts.len() {
            self.parts.resize(other.parts.len(), 0);
        }
        let mut carry = 0u64;
        for (at, part) in self.parts.iter_mut().enumerate() {
            carry += u64::from(*part) + u64::from(other.parts.get(at).copied().unwrap_or(0));
            *part = low_part(carry);
            carry >>= 32;
        }
        if carry > 0 {
            self.parts.push(low_part(carry));
        }
    }

    /// Takes away `other`, which is not larger.
    fn subtract(&mut self, other: &Large) {
        let mut borrowed = false;
        for (at, part) in self.parts.iter_mut().enumerate() {
            let (less, is_below) = part.overflowing_sub(other.parts.get(at).copied().unwrap_or(0));
            let (less, is_below_too) = less.overflowing_sub(u32::from(borrowed));
            *part = less;
            borrowed = is_below || is_below_too;
        }
        self.trim();
    }

    fn compare(&self, other: &Large) -> Ordering {
        let mut order = self.parts.len().cmp(&other.parts.len());
        for (a, b) in self.parts.iter().rev().zip(other.parts.iter().rev()) {
            order = order.then_with(|| a.cmp(b));
            if order != Ordering::Equal {
                break;
            }
        }
        order
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
fn low_part(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{read, write};
    use super::*;

    fn read_back(text: &str) -> f64 {
        read::number(text).unwrap()
    }

    fn agrees(number: f64) {
        let (digits, exponent) = shortest(number);
        let text = format!("{digits}e{exponent}");
        assert_eq!(text.parse::<f64>().unwrap(), number.abs(), "{number:e}");
        assert_eq!(read_back(&text).to_bits(), number.abs().to_bits(), "{text}");
        // as few digits as serde_json's writer needs, and the same ones
        let theirs = serde_json::to_string(&number.abs()).unwrap();
        let mantissa = theirs.split('e').next().unwrap().replace('.', "");
        let theirs = mantissa.trim_start_matches('0').trim_end_matches('0');
        assert_eq!(digits.to_string(), if theirs.is_empty() { "0" } else { theirs }, "{number:e}");
    }

    #[test]
    fn edges_are_read_and_written_exactly() {
        for bits in 0..2200u64 {
            for low in [0, 1, 2, (1 << 52) - 1] {
                let number = f64::from_bits((bits % 2047) << 52 | low);
                agrees(number);
            }
        }
        for number in
            [0.1, 0.3, 5e-324, 1e15, 1e16, 123_456_789_012_345.6, 2.5e-7, 9.5, 1e-7, 0.000_001, 1e22, 1e23, 9_007_199_254_740_993.0]
        {
            agrees(number);
        }
    }

    #[test]
    fn texts_of_any_length_are_read_exactly() {
        let half = format!("{:.1100}", f64::from_bits(1) / 2.0 + f64::from_bits(1));
        for text in [
            "9007199254740993",
            "9007199254740992.999999999999999999999999999999",
            "9007199254740993.00000000000000000000000000000000000000000000001",
            "2.4703282292062327208e-324",
            "2.4703282292062328e-324",
            "1.7976931348623158e308",
            "1.7976931348623158079e308",
            "0.000000000000000000000000000000000000000000000000000000000000000000000000001e75",
            "123456789012345678901234567890e-30",
            "1e-400",
            "0e999999999999999999999",
            &half,
            &format!("1{}", "0".repeat(300)),
            &format!("0.{}17", "0".repeat(300)),
            &format!("{}e-5000", "7".repeat(5001)),
            &format!("{}e-900", "9007199254740993".to_owned() + &"0".repeat(900) + "1"),
        ] {
            assert_eq!(read_back(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
        for text in ["1e309", "1.7976931348623159e308", "1e999999999999999999999", "-1e400"] {
            assert_eq!(read::number(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_double_comes_back_with_the_fewest_digits(bits in any::<u64>(), plain in -1e6f64..1e6, size in -8i32..18) {
            agrees(plain * 10f64.powi(size - 6));
            let number = f64::from_bits(bits);
            if number.is_finite() {
                agrees(number);
                let mut text = String::new();
                write::write_number(&mut text, number);
                prop_assert_eq!(text.parse::<f64>().unwrap(), number);
            }
            agrees(plain);
        }

        #[test]
        fn any_decimal_is_read_to_the_nearest_double(text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?") {
            let theirs = text.parse::<f64>().unwrap();
            prop_assert_eq!(read::number(&text).map(f64::to_bits), theirs.is_finite().then_some(theirs.to_bits()));
        }
    }
}
