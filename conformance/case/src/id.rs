//! Case ids: `OPERATOR:LEVEL:FAMILY:key=value,…`. An id is enough to build its case.

use std::{
    borrow::Cow,
    fmt::{self, Write},
    str::FromStr,
    sync::Arc,
};

use dml_spec::FeatureLevel;
use serde::{Deserialize, Serialize, de};

/// Longest id in bytes.
pub const MAX_LENGTH: usize = 200;

/// The name of a case, from which it can be built. Copies share the text: a run of a million cases keeps many of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId {
    text: Arc<str>,
    level: FeatureLevel,
    /// End of the operator in the text.
    operator_end: usize,
    /// Start and end of the family in the text.
    family: (usize, usize),
}

impl CaseId {
    /// Puts an id together. Keys and values are words ([`is_word`]) in canonical order: the operator's keys,
    /// `layout`, `values`, `seed`, then overrides of single fields (`OutputIndexTensor.DataType=INT8`) in struct
    /// order.
    pub fn new<K: AsRef<str>, V: AsRef<str>>(
        operator: &str,
        level: FeatureLevel,
        family: &str,
        params: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        // Room for any id, so that the buffer never grows.
        let mut text = String::with_capacity(MAX_LENGTH);
        // Writing to memory cannot fail.
        let _ = write!(text, "{operator}:{level}:");
        let start = text.len();
        text.push_str(family);
        let end = text.len();
        text.push(':');
        for (i, (key, value)) in params.into_iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            text.push_str(key.as_ref());
            text.push('=');
            text.push_str(value.as_ref());
        }
        Self {
            text: text.into(),
            level,
            operator_end: operator.len(),
            family: (start, end),
        }
    }

    /// Operator name.
    pub fn operator(&self) -> &str {
        &self.text[..self.operator_end]
    }

    /// Table level.
    pub fn level(&self) -> FeatureLevel {
        self.level
    }

    /// Table level as it is written.
    pub fn level_text(&self) -> &str {
        &self.text[self.operator_end + 1..self.family.0 - 1]
    }

    /// Family.
    pub fn family(&self) -> &str {
        &self.text[self.family.0..self.family.1]
    }

    /// Keys and values in the order of the text.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut rest = self.params_text();
        // Found byte by byte: pairs are short.
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let end = rest.bytes().position(|byte| byte == b',').unwrap_or(rest.len());
                let (pair, after) = rest.split_at(end);
                rest = after.get(1..).unwrap_or_default();
                if let Some(end) = pair.bytes().position(|byte| byte == b'=') {
                    return Some((&pair[..end], &pair[end + 1..]));
                }
            }
            None
        })
    }

    /// Keys and values as they are written.
    pub fn params_text(&self) -> &str {
        &self.text[self.family.1 + 1..]
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.params().find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The id without a key.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        let params = self.params().filter(|(k, _)| *k != key);
        Self::new(self.operator(), self.level, self.family(), params)
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The text is not a valid case id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid case id `{id}`: {why}")]
pub struct ParseIdError {
    id: String,
    why: String,
}

impl ParseIdError {
    fn new(id: &str, why: String) -> Self {
        Self {
            id: id.chars().take(MAX_LENGTH).collect(),
            why,
        }
    }
}

impl Serialize for CaseId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// An id of a stored run, as it is written there: neither its length nor its parameters are checked, so that no case is
/// lost. Parsing its text checks them.
impl<'de> Deserialize<'de> for CaseId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let (operator, level, family, params) = parts(&text).map_err(de::Error::custom)?;
        let start = text.len() - params.len() - family.len() - 1;
        Ok(Self {
            level,
            operator_end: operator.len(),
            family: (start, start + family.len()),
            text: text.as_ref().into(),
        })
    }
}

/// Operator, level, family and parameters of an id.
fn parts(id: &str) -> Result<(&str, FeatureLevel, &str, &str), ParseIdError> {
    let err = |why| ParseIdError::new(id, why);
    let parts: Vec<&str> = id.splitn(4, ':').collect();
    let [operator, level, family, params] = parts[..] else {
        return Err(err("expected OPERATOR:LEVEL:FAMILY:key=value,…".to_owned()));
    };
    let level = level.parse().map_err(|e| err(format!("{e}")))?;
    if !is_word(operator) || !is_word(family) {
        return Err(err("operator and family are words".to_owned()));
    }
    Ok((operator, level, family, params))
}

impl FromStr for CaseId {
    type Err = ParseIdError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let err = |why| ParseIdError::new(s, why);
        if s.len() > MAX_LENGTH {
            return Err(err(format!(
                "it has {} bytes, at most {MAX_LENGTH} are allowed",
                s.len()
            )));
        }
        let (operator, level, family, params) = parts(s)?;
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for pair in params.split(',').filter(|p| !p.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| err(format!("`{pair}` is not key=value")))?;
            if !is_word(key) || !is_word(value) {
                return Err(err(format!("`{pair}` holds characters other than A-Z a-z 0-9 . _ -")));
            }
            if pairs.iter().any(|(k, _)| *k == key) {
                return Err(err(format!("duplicate key `{key}`")));
            }
            pairs.push((key, value));
        }
        Ok(Self::new(operator, level, family, pairs))
    }
}

/// Whether the text consists of the characters that ids allow.
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
        assert_eq!((id.level(), id.level_text()), (FeatureLevel::new(3, 1), "3.1"));
        assert_eq!((id.operator(), id.family(), id.params().count()), ("TOP_K1", "ties", 7));
        assert_eq!(id.without("k").to_string(), text.replace(",k=5", ""));
    }

    #[test]
    fn an_id_may_have_no_keys() {
        let id = CaseId::new("TOP_K1", FeatureLevel::new(2, 1), "nan", Vec::<(&str, &str)>::new());
        assert_eq!(id.to_string(), "TOP_K1:2.1:nan:");
        assert_eq!((id.params().count(), id.clone()), (0, id.to_string().parse().unwrap()));
    }

    #[test]
    fn broken_ids_say_why() {
        for (text, why) in [
            ("TOP_K1:3.1:ties", "expected OPERATOR"),
            ("TOP_K1:3:ties:k=1", "invalid feature level"),
            ("TOP_K1:3.1:ties:k", "not key=value"),
            ("TOP_K1:3.1:ties:k=1,k=2", "duplicate key"),
            ("TOP_K1:3.1:ties:k=$(x)", "characters"),
        ] {
            let error = text.parse::<CaseId>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
