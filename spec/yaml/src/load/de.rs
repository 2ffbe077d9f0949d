//! A serde deserializer over the marked tree. It never fails: each mistake is recorded, and reading continues with an
//! empty value, so that one load reports all mistakes.

use dml_spec::model::form::FORMS;
use serde::{
    Deserialize, Deserializer,
    de::{
        IntoDeserializer, Visitor,
        value::{Error, MapDeserializer, SeqDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};

use super::{forms::empty_of_form, reader::Source};
use crate::tree::{Key, Node};

impl Source<'_> {
    /// Reads a value of the file.
    pub(super) fn read<'de, T: Deserialize<'de> + Default>(&self, node: &Node) -> T {
        let reading = Reading {
            source: self,
            at: At::Node(node),
        };
        T::deserialize(reading).unwrap_or_else(|error| {
            self.report("spec::wrong-type", &node.span, error.to_string());
            T::default()
        })
    }
}

/// What is read next.
#[derive(Clone, Copy)]
enum At<'n> {
    Node(&'n Node),
    Key(&'n Key),
    /// A field that a mapping does not have.
    Absent {
        mapping: &'n Node,
        what: &'static str,
        field: &'static str,
    },
    /// Part of a node that already has its diagnostic.
    Nothing,
}

/// A place of the file that can be read as any type.
#[derive(Clone, Copy)]
struct Reading<'s, 'n> {
    source: &'s Source<'s>,
    at: At<'n>,
}

impl<'s, 'n> Reading<'s, 'n> {
    fn at(source: &'s Source<'s>, at: At<'n>) -> Self {
        Self { source, at }
    }

    /// The node; without one the field is reported as missing.
    fn node(&self) -> Option<&'n Node> {
        match self.at {
            At::Node(node) => Some(node),
            At::Key(_) | At::Nothing => None,
            At::Absent { mapping, what, field } => {
                self.source.missing(mapping, what, field);
                None
            }
        }
    }

    fn text(&self, form: &'static str) -> String {
        match (self.at, self.node()) {
            (At::Key(key), _) => self.source.key_of_form(form, key),
            (_, Some(node)) => self.source.text_of_form(form, node),
            _ => empty_of_form(form),
        }
    }
}

impl IntoDeserializer<'_> for Reading<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reading<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.text(""))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.node().is_some_and(|node| self.source.boolean(node)))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(self.node().map_or(0, |node| self.source.uint(node)))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.at {
            At::Absent { .. } | At::Nothing => visitor.visit_none(),
            At::Node(_) | At::Key(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match FORMS.contains(&name) {
            true => visitor.visit_newtype_struct(self.text(name).into_deserializer()),
            false => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let nodes = self.node().map_or(&[][..], |node| self.source.list(node));
        let items = nodes.iter().map(|node| Self::at(self.source, At::Node(node)));
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let entries = self.node().map_or(&[][..], |node| self.source.entries(node));
        let at = |at| Self::at(self.source, at);
        let entries = entries.iter().map(|(key, node)| (at(At::Key(key)), at(At::Node(node))));
        visitor.visit_map(MapDeserializer::new(entries))
    }

    /// The fields in the order of the structure; those that the mapping lacks are absent.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        what: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let node = self.node();
        let entries = node.map_or(&[][..], |node| self.source.entries(node));
        let known = self.source.fields_here(fields);
        self.source.unknown_fields(entries, what, &known);
        let at = |field| match node.filter(|node| node.entries().is_some()) {
            Some(mapping) => mapping.get(field).map_or(At::Absent { mapping, what, field }, At::Node),
            None => At::Nothing,
        };
        let fields = known.into_iter().map(|field| (field, Self::at(self.source, at(field))));
        visitor.visit_map(MapDeserializer::new(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let found = self.node().and_then(|node| self.source.variant(node, name, variants));
        let first = variants.first().copied().unwrap_or_default();
        let variant: StrDeserializer<'_, Error> = found.unwrap_or(first).into_deserializer();
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.node();
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        identifier
    }
}
