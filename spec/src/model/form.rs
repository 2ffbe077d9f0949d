//! How the catalog's types are read: forms of scalars, values that may be absent, mappings whose keys are names.
//!
//! A reader that knows places finds a form by its newtype's name and checks it; any other reads text.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};

use super::{List, Text};
use crate::level::FeatureLevel;

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $form:literal)*) => {
    $(
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename = $form)]
        pub struct $name($inner);

        impl $name {
            /// The name that a reader knows the form by.
            pub const NAME: &'static str = $form;
        }

        impl From<$name> for Text {
            fn from(form: $name) -> Self {
                form.0.into()
            }
        }
    )*

        /// The names that a reader knows the forms by.
        pub const FORMS: &[&str] = &[$($form),*];
    };
}

forms! {
    /// Lower-case letters, digits and inner dashes.
    Id(Text) = "id"
    /// An operator's name, such as `TOP_K1`.
    OperatorName(Text) = "operator name"
    /// A field's name, such as `InputTensor`.
    FieldName(Text) = "field name"
    /// A day, `YYYY-MM-DD`.
    Day(Text) = "day"
    /// A SHA-256 in lower-case hex.
    Sha256(Text) = "SHA-256"
    /// Short hashes, separated by blanks.
    Hashes(Text) = "short hashes"
    /// A feature level that `directml.yaml` lists.
    KnownLevel(Text) = "feature level"
    /// A feature level that is being listed.
    NewLevel(Text) = "new feature level"
    /// A source of the same file.
    SourceName(Text) = "source"
    /// A tensor data type.
    DataTypeName(Text) = "tensor data type"
    /// A dimension count, or the range of some.
    Dimensions(Written) = "dimension counts"
    /// The Dimensions column of a table, such as `{ [BatchCount], M, K }`.
    Shape(Text) = "shape"
    /// A scalar as written, whatever YAML takes it for.
    Verbatim(Written) = "verbatim"
}

/// A scalar as text.
#[derive(Clone, Debug)]
pub struct Written(Text);

impl From<Written> for Text {
    fn from(written: Written) -> Self {
        written.0
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or a number")
            }

            fn visit_str<E>(self, text: &str) -> Result<Written, E> {
                Ok(Written(Text::Owned(text.to_owned())))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Written, E> {
                Ok(Written(Text::Owned(number.to_string())))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Written, E> {
                Ok(Written(Text::Owned(number.to_string())))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}

/// Text of a form.
///
/// # Errors
/// Those of the deserializer.
pub fn text<'de, F: Deserialize<'de> + Into<Text>, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
    F::deserialize(deserializer).map(Into::into)
}

/// Text of a form; empty if it is absent.
pub(super) fn optional_text<'de, F, D>(deserializer: D) -> Result<Text, D::Error>
where
    F: Deserialize<'de> + Into<Text>,
    D: Deserializer<'de>,
{
    Ok(Option::<F>::deserialize(deserializer)?
        .map(Into::into)
        .unwrap_or_default())
}

/// Texts of a form.
pub(super) fn texts<'de, F, D>(deserializer: D) -> Result<List<Text>, D::Error>
where
    F: Deserialize<'de> + Into<Text>,
    D: Deserializer<'de>,
{
    Ok(Vec::<F>::deserialize(deserializer)?
        .into_iter()
        .map(Into::into)
        .collect())
}

/// Texts of one form; none if they are absent.
pub(super) fn optional_texts<'de, F, D>(deserializer: D) -> Result<List<Text>, D::Error>
where
    F: Deserialize<'de> + Into<Text>,
    D: Deserializer<'de>,
{
    let texts = Option::<Vec<F>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(texts.into_iter().map(Into::into).collect())
}

/// A value; empty if it is absent.
///
/// # Errors
/// Those of the deserializer.
pub fn optional<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl<'de> Deserialize<'de> for FeatureLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::<KnownLevel, D>(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for FeatureLevel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether the list is empty and therefore left out.
pub(super) fn is_empty<T: Clone>(list: &List<T>) -> bool {
    list.is_empty()
}

/// `4` or `1..8`, as smallest and largest.
pub(super) fn dimensions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u32, u32), D::Error> {
    let text = text::<Dimensions, D>(deserializer)?;
    dimension_counts(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no dimension count")))
}

/// The smallest and the largest of `4` or `1..8`.
pub fn dimension_counts(text: &str) -> Option<(u32, u32)> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (1 <= low && low <= high && high <= 8).then_some((low, high))
}

/// Whether a text is the Dimensions column of a table: in one pair of braces, each bracket closed.
pub fn is_shape(text: &str) -> bool {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let mut open = 0;
    let is_closed = |inner: &str| {
        let keeps = inner.chars().all(|letter| {
            open += i32::from(letter == '[') - i32::from(letter == ']');
            open >= 0 && !matches!(letter, '{' | '}')
        });
        keeps && open == 0 && !inner.trim().is_empty()
    };
    inner.is_some_and(is_closed)
}

/// A value with its name as the key of a mapping.
pub trait Named {
    /// How its name is written.
    type Name: for<'de> Deserialize<'de> + Into<Text>;

    /// Takes the name.
    fn name(&mut self, name: Text);
}

/// Entries of a mapping, in the order of the file.
struct Entries<K, T>(Vec<(K, T)>);

impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for Entries<K, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Mapping<K, T>(PhantomData<(K, T)>);
        impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Visitor<'de> for Mapping<K, T> {
            type Value = Entries<K, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Entries<K, T>, A::Error> {
                let mut found = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    found.push(entry);
                }
                Ok(Entries(found))
            }
        }
        deserializer.deserialize_map(Mapping(PhantomData))
    }
}

impl<T: Named> From<Entries<T::Name, T>> for List<T>
where
    T: Clone + 'static,
{
    fn from(entries: Entries<T::Name, T>) -> Self {
        let named = |(name, mut value): (T::Name, T)| {
            value.name(name.into());
            value
        };
        entries.0.into_iter().map(named).collect()
    }
}

/// Texts under their names.
#[derive(Deserialize)]
#[serde(from = "Entries<Text, Text>")]
pub(super) struct Pairs(pub(super) Vec<(Text, Text)>);

impl From<Entries<Text, Text>> for Pairs {
    fn from(entries: Entries<Text, Text>) -> Self {
        Self(entries.0)
    }
}

/// Texts under their names; none if they are absent.
pub fn optional_pairs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<List<(Text, Text)>, D::Error> {
    let pairs = Option::<Pairs>::deserialize(deserializer)?;
    Ok(pairs.map(|pairs| pairs.0.into()).unwrap_or_default())
}

/// Values under their names.
pub(super) fn named<'de, T, D>(deserializer: D) -> Result<List<T>, D::Error>
where
    T: Named + Clone + Deserialize<'de> + 'static,
    D: Deserializer<'de>,
{
    Entries::deserialize(deserializer).map(Into::into)
}

/// Values under their names; none if they are absent.
///
/// # Errors
/// Those of the deserializer.
pub fn optional_named<'de, T, D>(deserializer: D) -> Result<List<T>, D::Error>
where
    T: Named + Clone + Deserialize<'de> + 'static,
    D: Deserializer<'de>,
{
    let entries = Option::<Entries<T::Name, T>>::deserialize(deserializer)?;
    Ok(entries.map(Into::into).unwrap_or_default())
}

macro_rules! named {
    ($($type:ty: $name:ty)*) => {$(
        impl Named for $type {
            type Name = $name;

            fn name(&mut self, name: Text) {
                self.name = name;
            }
        }
    )*};
}

named! {
    super::DataType: Text
    super::Enum: Text
    super::EnumMember: Text
    super::Source: Id
    super::Invariant: Id
    super::Variant: Id
    super::NamedMistake: Id
    super::Key: Id
    super::Parameter: Id
    super::Nested: Id
    super::Together: Id
}
