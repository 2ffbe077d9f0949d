//! Days, as the specification writes them.

use std::time::SystemTime;

use chrono::{DateTime, Utc};

/// Today, as `YYYY-MM-DD` (UTC).
pub fn today() -> String {
    DateTime::<Utc>::from(SystemTime::now()).format("%F").to_string()
}

/// A time, as `YYYY-MM-DDThh:mm:ssZ` (UTC).
pub fn time(now: SystemTime) -> String {
    DateTime::<Utc>::from(now).format("%FT%TZ").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_spelled() {
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(11_016 * 86_400 + 86_399);
        assert_eq!(time(late), "2000-02-29T23:59:59Z");
        assert_eq!(today().len(), 10);
    }
}
