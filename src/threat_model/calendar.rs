//! Calendar dates as text: `2026-05-02`, and the day must exist.

/// Whether `text` is a date that exists.
pub(super) fn is_date(text: &str) -> bool {
    let (Some(year), Some(month), Some(day)) = (digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)) else { return false };
    let dashes = text.bytes().enumerate().all(|(at, byte)| (at == 4 || at == 7) == (byte == b'-'));
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    text.len() == 10 && dashes && (1..=days).contains(&day)
}

/// The date a text begins with, where a time of day follows it.
pub(super) fn date_before_time(text: &str) -> Option<&str> {
    let (date, time) = text.split_at_checked(10)?;
    (is_date(date) && (time.starts_with('T') || time.starts_with(' '))).then_some(date)
}

fn digits(text: &str, from: usize, to: usize) -> Option<u32> {
    let digits = text.get(from..to)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_that_exist_are_dates() {
        for good in ["2026-05-02", "2024-02-29", "2000-02-29", "0001-12-31"] {
            assert!(is_date(good), "{good}");
        }
        for bad in [
            "2026-13-45",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-1-1",
            "2026-05-02 ",
            "2026/05/02",
            "é026-05-0",
            "",
            "+026-05-02",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
        assert_eq!(date_before_time("2026-05-02T10:00:00Z"), Some("2026-05-02"));
        assert_eq!(date_before_time("2026-05-02x"), None);
        assert_eq!(date_before_time("ééééé2"), None);
    }
}
