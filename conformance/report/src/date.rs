//! Days, as the specification writes them.

use std::time::SystemTime;

/// Today, as `YYYY-MM-DD` (UTC).
pub fn today() -> String {
    of(SystemTime::now())
}

/// A time, as `YYYY-MM-DDThh:mm:ssZ` (UTC).
pub fn time(now: SystemTime) -> String {
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() % 86_400);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{}T{hours:02}:{minutes:02}:{:02}Z", of(now), seconds % 60)
}

/// The day of a time, as `YYYY-MM-DD` (UTC).
pub fn of(now: SystemTime) -> String {
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    // Days are counted from 1 March of the year 0, so that a leap day ends its year; 146,097 days are 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Whether the text is an existing day, as `YYYY-MM-DD`.
pub fn is_day(text: &str) -> bool {
    let has_form = text.len() == 10
        && text.bytes().enumerate().all(|(at, b)| match at {
            4 | 7 => b == b'-',
            _ => b.is_ascii_digit(),
        });
    let part = |range| text.get(range).and_then(|part: &str| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (part(0..4), part(5..7), part(8..10)) else {
        return false;
    };
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => 0,
    };
    has_form && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_are_named() {
        for (days, name) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (20_513, "2026-03-01"),
            (11_016, "2000-02-29"),
        ] {
            assert_eq!(of(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400)), name);
        }
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(86_399);
        assert_eq!(time(late), "1970-01-01T23:59:59Z");
    }

    #[test]
    fn days_that_there_are() {
        for day in ["2026-11-22", "2024-02-29", "2000-02-29", "1999-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for text in [
            "2026-02-29",
            "2100-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-1-01",
            "26-01-01",
            "2026/01/01",
            "2026-01-0é",
            "",
        ] {
            assert!(!is_day(text), "{text}");
        }
    }
}
