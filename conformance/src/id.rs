//! Case ids: `OPERATOR:LEVEL:FAMILY:key=value,…`. An id is enough to build its case.

use std::{fmt, str::FromStr};

use dml_spec::FeatureLevel;

/// Longest id in bytes.
pub const MAX_LENGTH: usize = 200;

/// The name of a case, and its recipe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId {
    /// Operator name.
    pub operator: String,
    /// Table level.
    pub level: FeatureLevel,
    /// Family.
    pub family: String,
    /// Keys and values in canonical order: the operator's keys, `layout`, `values`, `seed`, then overrides of
    /// single fields (`OutputIndexTensor.DataType=INT8`) in struct order.
    pub params: Vec<(String, String)>,
}

impl CaseId {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.params.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:", self.operator, self.level, self.family)?;
        for (i, (key, value)) in self.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{key}={value}")?;
        }
        Ok(())
    }
}

/// The text is no case id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{id}` is no case id: {why}")]
pub struct ParseIdError {
    id: String,
    why: String,
}

impl FromStr for CaseId {
    type Err = ParseIdError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let err = |why: String| ParseIdError {
            id: s.chars().take(MAX_LENGTH).collect(),
            why,
        };
        if s.len() > MAX_LENGTH {
            return Err(err(format!(
                "it has {} bytes, at most {MAX_LENGTH} are allowed",
                s.len()
            )));
        }
        let parts: Vec<&str> = s.splitn(4, ':').collect();
        let [operator, level, family, params] = parts[..] else {
            return Err(err("expected OPERATOR:LEVEL:FAMILY:key=value,…".to_owned()));
        };
        let level = level.parse().map_err(|e| err(format!("{e}")))?;
        let mut pairs: Vec<(String, String)> = Vec::new();
        for pair in params.split(',').filter(|p| !p.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| err(format!("`{pair}` is not key=value")))?;
            if !is_word(key) || !is_word(value) {
                return Err(err(format!("`{pair}` holds characters other than A-Z a-z 0-9 . _ -")));
            }
            if pairs.iter().any(|(k, _)| k == key) {
                return Err(err(format!("`{key}` stands twice")));
            }
            pairs.push((key.to_owned(), value.to_owned()));
        }
        if !is_word(operator) || !is_word(family) {
            return Err(err("operator and family are words".to_owned()));
        }
        Ok(Self {
            operator: operator.to_owned(),
            level,
            family: family.to_owned(),
            params: pairs,
        })
    }
}

/// Whether the text is made of the characters ids allow.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_the_round_trip() {
        let text = "TOP_K1:3.1:ties:type=FLOAT16,index=UINT32,sizes=2x3x33,axis=2,k=5,dir=DECREASING,values=tie-at-k";
        let id: CaseId = text.parse().unwrap();
        assert_eq!(id.to_string(), text);
        assert_eq!(id.get("k"), Some("5"));
        assert_eq!(id.level, FeatureLevel::new(3, 1));
    }

    #[test]
    fn broken_ids_say_why() {
        for (text, why) in [
            ("TOP_K1:3.1:ties", "expected OPERATOR"),
            ("TOP_K1:3:ties:k=1", "no feature level"),
            ("TOP_K1:3.1:ties:k", "not key=value"),
            ("TOP_K1:3.1:ties:k=1,k=2", "stands twice"),
            ("TOP_K1:3.1:ties:k=$(x)", "characters"),
        ] {
            let error = text.parse::<CaseId>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
