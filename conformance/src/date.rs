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
}
