//! Feature levels, ordered by their numeric value.

use std::{fmt, str::FromStr};

/// A DirectML feature level as its `DML_FEATURE_LEVEL` value: `0x5100` is level `"5.1"`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec))]
pub struct FeatureLevel(pub u32);

impl FeatureLevel {
    /// The level `major.minor`; both parts are below 16.
    pub const fn new(major: u32, minor: u32) -> Self {
        Self((major << 12) | (minor << 8))
    }

    /// The part before the dot.
    pub const fn major(self) -> u32 {
        self.0 >> 12
    }

    /// The part after the dot.
    pub const fn minor(self) -> u32 {
        (self.0 >> 8) & 0xf
    }
}

impl fmt::Display for FeatureLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

impl fmt::Debug for FeatureLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeatureLevel({self})")
    }
}

/// The text is not a feature level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid feature level `{0}`; write it like 3.1, 3_1 or DML_FEATURE_LEVEL_3_1")]
pub struct ParseLevelError(pub String);

impl FromStr for FeatureLevel {
    type Err = ParseLevelError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let err = || ParseLevelError(s.to_owned());
        let digits = s.strip_prefix("DML_FEATURE_LEVEL_").unwrap_or(s);
        let (major, minor) = digits.split_once(['.', '_']).ok_or_else(err)?;
        let part = |t: &str| -> Option<u32> {
            let plain = !t.is_empty() && t.len() <= 2 && t.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| t.parse().ok()).flatten().filter(|n| *n < 16)
        };
        match (part(major), part(minor)) {
            (Some(major), Some(minor)) => Ok(Self::new(major, minor)),
            _ => Err(err()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_agree() {
        for text in ["3.1", "3_1", "DML_FEATURE_LEVEL_3_1"] {
            assert_eq!(text.parse(), Ok(FeatureLevel(0x3100)));
        }
        assert_eq!(FeatureLevel(0x6400).to_string(), "6.4");
        for text in ["", "3", "3.", ".1", "3.1.0", "3.16", "x.1", "+3.1", "99999999999.1"] {
            assert!(text.parse::<FeatureLevel>().is_err(), "{text}");
        }
    }
}
