//! Queries: shortened ids, with `*` in any part, so that an id shows how to select its neighbours.

use std::{fmt, str::FromStr};

use dml_spec::FeatureLevel;

use crate::id::CaseId;

/// Maximum length of a query in bytes. Queries may be longer than ids.
const MAX_LENGTH: usize = 1000;

/// A set of case ids: `OPERATOR:LEVEL:FAMILY:key=glob,…`, cut after any part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    operator: Glob,
    level: Glob,
    family: Glob,
    keys: Vec<(String, Glob)>,
}

/// Text in which `*` stands for any run of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Glob(String);

/// The text is not a valid query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid query `{query}`: {why}")]
pub struct ParseQueryError {
    query: String,
    why: String,
}

impl Query {
    /// Whether the id is in the set.
    pub fn matches(&self, id: &CaseId) -> bool {
        self.operator.matches(id.operator())
            && self.family.matches(id.family())
            && self.level.matches(&id.level().to_string())
            && self
                .keys
                .iter()
                .all(|(key, glob)| id.get(key).is_some_and(|value| glob.matches(value)))
    }

    /// Whether the set may hold ids of the operator of this name.
    pub fn may_match_operator(&self, name: &str) -> bool {
        self.operator.matches(name)
    }

    /// Whether ids of this operator, level and family may be in the set.
    pub fn may_be(&self, operator: &str, level: FeatureLevel, family: &str) -> bool {
        self.operator.matches(operator) && self.level.matches(&level.to_string()) && self.family.matches(family)
    }

    /// The only value that a key may have, if there is one.
    pub fn value(&self, key: &str) -> Option<&str> {
        let (_, Glob(value)) = self.keys.iter().find(|(k, _)| k == key)?;
        (!value.contains('*')).then_some(value)
    }

    /// The keys it asks about.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, _)| key.as_str())
    }

    /// Whether it is written like a whole id: no `*`, and four parts.
    pub fn as_id(&self) -> Option<CaseId> {
        let text = self.to_string();
        if text.contains('*') { None } else { text.parse().ok() }
    }

    /// Operator, level and family of the query.
    pub fn parts(&self) -> [&str; 3] {
        [&self.operator.0, &self.level.0, &self.family.0]
    }

    /// Whether an id of the set may have this value of a key.
    pub fn allows(&self, key: &str, value: &str) -> bool {
        let asked = self.keys.iter().find(|(asked, _)| asked == key);
        asked.is_none_or(|(_, glob)| glob.matches(value))
    }

    /// The keys that may have one value only, and that value.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        let whole = self.keys.iter().filter(|(_, Glob(value))| !value.contains('*'));
        whole.map(|(key, Glob(value))| (key.as_str(), value.as_str()))
    }

    /// The query without its keys.
    pub fn without_keys(&self) -> Self {
        Self {
            keys: Vec::new(),
            ..self.clone()
        }
    }
}

impl Glob {
    fn matches(&self, text: &str) -> bool {
        let (glob, text) = (self.0.as_bytes(), text.as_bytes());
        let (mut g, mut t) = (0, 0);
        // Where to go on when a later character fails: after the last `*`, one character further in the text.
        let mut retry: Option<(usize, usize)> = None;
        while t < text.len() {
            match glob.get(g) {
                Some(b'*') => {
                    retry = Some((g + 1, t));
                    g += 1;
                }
                Some(c) if *c == text[t] => {
                    g += 1;
                    t += 1;
                }
                _ => match retry {
                    Some((behind, from)) => {
                        retry = Some((behind, from + 1));
                        (g, t) = (behind, from + 1);
                    }
                    None => return false,
                },
            }
        }
        glob[g..].iter().all(|c| *c == b'*')
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.parts().join(":"))?;
        if !self.keys.is_empty() {
            f.write_str(":")?;
        }
        for (i, (key, glob)) in self.keys.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{key}={}", glob.0)?;
        }
        Ok(())
    }
}

impl FromStr for Query {
    type Err = ParseQueryError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let err = |why: String| ParseQueryError {
            query: s.chars().take(MAX_LENGTH).collect(),
            why,
        };
        if s.is_empty() || s.len() > MAX_LENGTH {
            return Err(err(format!("it has {} bytes, 1 to {MAX_LENGTH} are allowed", s.len())));
        }
        let mut parts = s.splitn(4, ':');
        let mut part = || {
            let text = parts.next().unwrap_or("*");
            let text = if text.is_empty() { "*" } else { text };
            glob(text).ok_or_else(|| err(format!("`{text}` holds characters other than A-Z a-z 0-9 . _ - *")))
        };
        let (operator, level, family) = (part()?, part()?, part()?);
        let level = level.0.parse::<FeatureLevel>().map_or(level, |l| Glob(l.to_string()));
        let mut keys = Vec::new();
        for pair in parts
            .next()
            .unwrap_or("")
            .split(',')
            .filter(|p| !p.is_empty() && *p != "*")
        {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| err(format!("`{pair}` is not key=value, such as type=FLOAT32")))?;
            let value = glob(value).filter(|_| crate::id::is_word(key));
            let value =
                value.ok_or_else(|| err(format!("`{pair}` holds characters other than A-Z a-z 0-9 . _ - *")))?;
            keys.push((key.to_owned(), value));
        }
        Ok(Self {
            operator,
            level,
            family,
            keys,
        })
    }
}

fn glob(text: &str) -> Option<Glob> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"._-*".contains(&b);
    (!text.is_empty() && text.bytes().all(allowed)).then(|| Glob(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "TOP_K1:3.1:ties:type=FLOAT16,index=UINT32,sizes=2x3x33,axis=2,k=5,values=tie-at-k";

    fn matches(query: &str) -> bool {
        query.parse::<Query>().unwrap().matches(&ID.parse().unwrap())
    }

    #[test]
    fn ids_cut_short_match() {
        for query in [
            "TOP_K1",
            "*:3.1",
            "TOP_K1:*:ties",
            "*:3_1:ties",
            "TOP_K1:DML_FEATURE_LEVEL_3_1",
            "TOP_K1:3.1:ties:",
            "*:*:*:k=5,type=FLOAT16",
            "*:*:*:sizes=2x*,values=tie*",
            "T*1:3.*:t*s:type=F*1*",
            "*",
            ID,
        ] {
            assert!(matches(query), "{query}");
        }
    }

    #[test]
    fn others_do_not_match() {
        for query in [
            "TOP_K",
            "*:2.1",
            "*:*:nan",
            "*:*:*:k=50",
            "*:*:*:k=*,dir=INCREASING",
            "*:*:*:sizes=2x3",
            "x*",
        ] {
            assert!(!matches(query), "{query}");
        }
    }

    #[test]
    fn broken_queries_say_why() {
        for (query, why) in [
            ("", "0 bytes"),
            ("TOP K1", "characters"),
            ("*:*:*:k", "not key=value"),
            ("a:b:c:k=$", "characters"),
        ] {
            let error = query.parse::<Query>().unwrap_err().to_string();
            assert!(error.contains(why), "{query}: {error}");
        }
    }

    #[test]
    fn only_a_whole_id_is_one() {
        assert_eq!(ID.parse::<Query>().unwrap().as_id(), ID.parse().ok());
        assert_eq!("TOP_K1:*:ties:k=5".parse::<Query>().unwrap().as_id(), None);
    }

    #[test]
    fn many_stars_do_not_take_forever() {
        let glob = Glob(format!("{}b", "*a".repeat(200)));
        assert!(!glob.matches(&"a".repeat(400)));
    }
}
