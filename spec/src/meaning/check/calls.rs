//! Types of calls.

use std::ops::Range;

use super::{Checked, Checker};
use crate::meaning::{
    functions::{FUNCTIONS, Gives},
    typed::{Cast, Nan, Op, Overflow, Rounding, TensorRef},
    types::Type,
};
use crate::rule::{
    ast::{Argument, Call, Expr, ExprKind},
    names::nearest,
};

/// Forms that look like functions, but see more than values.
pub(super) const FORMS: [&str; 9] = [
    "present",
    "apply",
    "either",
    "continuous",
    "granted",
    "open",
    "cast",
    "raw",
    "prefix",
];

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        name: &str,
        place: &Range<usize>,
        arguments: &[Expr],
        span: &Range<usize>,
    ) -> Checked<(Type, Op)> {
        match (name, arguments) {
            ("present", [field]) => return self.present(field),
            ("apply", [operator, value]) => {
                let (operator, value) = (self.typed(operator, &Type::Operator), self.number(value));
                let value = value?;
                return Some((value.ty.clone(), Op::Apply(Box::new(operator?), Box::new(value))));
            }
            ("either", [_, _, ..]) => {
                let ways: Vec<_> = arguments.iter().map(|e| self.number(e)).collect();
                let ways = ways.into_iter().collect::<Option<Vec<_>>>()?;
                let mut ty = ways.first()?.ty.clone();
                for way in &ways {
                    ty = self.unify(&ty, &way.ty, span)?;
                }
                return Some((ty, Op::Either(ways)));
            }
            ("continuous", [value]) => {
                let value = self.number(value)?;
                return Some((value.ty.clone(), Op::Continuous(Box::new(value))));
            }
            ("cast", [_, _]) => return self.cast(arguments, &[], place),
            _ => {}
        }
        if name == "raw" {
            return self.ill_typed(span, "`raw` needs an `else` for what lies beyond the buffer".to_owned());
        }
        if FORMS.contains(&name) {
            return self.ill_typed(place, format!("`{name}` does not take these arguments"));
        }
        let Some(signature) = FUNCTIONS.iter().find(|f| f.name == name) else {
            let names = FUNCTIONS.iter().map(|f| f.name).chain(FORMS).chain(super::forms::FORMS);
            let hint = nearest(name, names.collect::<Vec<_>>());
            return self.refuse(
                "spec::unknown-function",
                place,
                format!("unknown function `{name}`"),
                hint,
            );
        };
        if arguments.len() != signature.takes.len() {
            let (found, expected) = (arguments.len(), signature.takes.len());
            return self.ill_typed(place, format!("`{name}` has {found} arguments, expected {expected}"));
        }
        let mut nodes = Vec::with_capacity(arguments.len());
        let mut same = Type::Int;
        for (i, (e, takes)) in arguments.iter().zip(signature.takes).enumerate() {
            let want = (*takes == crate::meaning::functions::Takes::DataType).then_some(Type::DataType);
            let node = self.expr(e, want.as_ref())?;
            let lenient = self.operator.support.is_empty()
                && node.ty == Type::Number
                && *takes == crate::meaning::functions::Takes::Int;
            if !takes.accepts(&node.ty) && !lenient {
                let (found, expected) = (node.ty.describe(), takes.describe());
                return self.ill_typed(&e.span, format!("found {found}, expected {expected} for `{name}`"));
            }
            same = if i == 0 {
                node.ty.clone()
            } else if signature.gives == Gives::Same {
                self.unify(&same, &node.ty, span)?
            } else {
                same
            };
            nodes.push(node);
        }
        let ty = match signature.gives {
            Gives::Bool => Type::Bool,
            Gives::Int => Type::Int,
            Gives::Real => Type::Real,
            Gives::Vector => Type::vector(),
            Gives::Same => same,
        };
        Some((ty, Op::Call(signature.function, nodes)))
    }

    fn present(&mut self, field: &Expr) -> Checked<(Type, Op)> {
        let node = self.expr(field, None)?;
        match node.op {
            Op::Field(at)
            | Op::Tensor(TensorRef {
                field: at,
                element: None,
            }) => Some((Type::Bool, Op::Present(at))),
            _ => self.ill_typed(&field.span, "`present` asks about a field".to_owned()),
        }
    }

    /// A call with labels, or with a clause's id.
    pub(super) fn labelled_call(&mut self, call: &Call, span: &Range<usize>) -> Checked<(Type, Op)> {
        let arguments: Vec<Expr> = call.arguments.iter().filter_map(expression).cloned().collect();
        match (call.name.as_str(), call.arguments.as_slice()) {
            ("open", [Argument::Clause(id, place)]) => {
                let clause = self.silence(id, place)?;
                let mut among = Vec::new();
                for (label, at, values) in &call.labelled {
                    self.known_label(label, at, &["among"])?;
                    for value in values.iter().filter_map(expression) {
                        among.push(self.number(value)?);
                    }
                }
                let ty = among.first().map_or(Type::Open, |node| node.ty.clone());
                Some((ty, Op::Open(clause, among)))
            }
            ("granted", [Argument::Clause(id, place), Argument::Expr(value)]) => {
                let clause = self.clause(id, place)?;
                let value = self.expr(value, None)?;
                Some((value.ty.clone(), Op::Granted(clause, Box::new(value))))
            }
            ("cast", [Argument::Expr(_), Argument::Expr(_)]) => self.cast(&arguments, &call.labelled, &call.place),
            ("raw", [Argument::Expr(tensor), Argument::Expr(offset)]) => {
                let tensor_node = self.expr(tensor, None)?;
                let place = &tensor.span;
                let Op::Tensor(tensor) = tensor_node.op else {
                    return self.ill_typed(place, "`raw` reads a tensor".to_owned());
                };
                self.readable(tensor.field, place)?;
                let offset = self.typed(offset, &Type::Int)?;
                let Some(otherwise) = &call.otherwise else {
                    return self.ill_typed(span, "`raw` needs an `else` for what lies beyond the buffer".to_owned());
                };
                let otherwise = self.number(otherwise)?;
                let ty = self.element_type(tensor.field);
                Some((ty, Op::Raw(tensor, Box::new(offset), Box::new(otherwise))))
            }
            _ => {
                let message = format!("`{}` takes no labels, no clause and no `else` here", call.name);
                self.ill_typed(&call.place, message)
            }
        }
    }

    fn known_label(&mut self, label: &str, place: &Range<usize>, known: &[&str]) -> Checked<()> {
        if known.contains(&label) {
            return Some(());
        }
        let hint = nearest(label, known);
        self.refuse("spec::unknown-label", place, format!("unknown label `{label}`"), hint)
    }

    fn cast(
        &mut self,
        arguments: &[Expr],
        labelled: &[(String, Range<usize>, Vec<Argument>)],
        place: &Range<usize>,
    ) -> Checked<(Type, Op)> {
        let [value, data_type] = arguments else {
            return self.ill_typed(place, "`cast` needs a number and a data type".to_owned());
        };
        let (value, data_type) = (self.number(value), self.typed(data_type, &Type::DataType));
        let mut cast = Cast {
            value: value?,
            data_type: data_type?,
            rounding: Rounding::Either,
            overflow: Overflow::Infinity,
            nan: Nan::Refused,
        };
        let mut overflow = None;
        for (i, (label, at, values)) in labelled.iter().enumerate() {
            self.known_label(label, at, &["rounding", "overflow", "nan"])?;
            if labelled.iter().take(i).any(|(before, ..)| before == label) {
                return self.refuse("spec::unknown-label", at, format!("`{label}:` stands twice"), None);
            }
            let [Argument::Expr(word)] = values.as_slice() else {
                return self.ill_typed(at, format!("`{label}:` needs one word"));
            };
            match label.as_str() {
                "rounding" => cast.rounding = self.word(word, &ROUNDINGS)?,
                "overflow" => overflow = Some(self.overflow(word)?),
                _ => cast.nan = self.nan(word)?,
            }
        }
        let ty = match &cast.data_type.op {
            Op::Int(value) => match u32::try_from(*value)
                .ok()
                .and_then(|value| self.catalog.data_type(value))
            {
                Some(data_type) if data_type.whole_numbers().is_some() => Type::Int,
                Some(_) => Type::Real,
                None => Type::Number,
            },
            _ => Type::Number,
        };
        cast.overflow = overflow.unwrap_or(if ty == Type::Int {
            Overflow::Fits
        } else {
            Overflow::Infinity
        });
        Some((ty, Op::Cast(Box::new(cast))))
    }

    fn word<T: Copy>(&mut self, e: &Expr, words: &[(&str, T)]) -> Checked<T> {
        if let ExprKind::Name(name) = &e.kind
            && let Some((_, value)) = words.iter().find(|(word, _)| word == name)
        {
            return Some(*value);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let hint = match &e.kind {
            ExprKind::Name(name) => nearest(name, known.clone()),
            _ => None,
        };
        let message = format!("unknown word; expected one of {}", known.join(", "));
        self.refuse("spec::unknown-word", &e.span, message, hint)
    }

    fn overflow(&mut self, e: &Expr) -> Checked<Overflow> {
        if let Some(clause) = self.opened(e) {
            return Some(Overflow::Open(clause?));
        }
        self.word(e, &OVERFLOWS)
    }

    fn nan(&mut self, e: &Expr) -> Checked<Nan> {
        if let Some(clause) = self.opened(e) {
            return Some(Nan::Open(clause?));
        }
        Some(Nan::Value(self.typed(e, &Type::Int)?))
    }

    /// The clause of `open("…")`.
    fn opened(&mut self, e: &Expr) -> Option<Checked<u16>> {
        let is_open = matches!(&e.kind, ExprKind::Meaning(meant)
            if matches!(&**meant, crate::rule::ast::Meant::Call(call) if call.name == "open"));
        is_open.then(|| match self.expr(e, None)?.op {
            Op::Open(clause, among) if among.is_empty() => Some(clause),
            _ => self.ill_typed(&e.span, "expected `open(\"clause\")` alone".to_owned()),
        })
    }
}

const ROUNDINGS: [(&str, Rounding); 5] = [
    ("nearest_even", Rounding::NearestEven),
    ("toward_zero", Rounding::TowardZero),
    ("down", Rounding::Down),
    ("up", Rounding::Up),
    ("either", Rounding::Either),
];

const OVERFLOWS: [(&str, Overflow); 4] = [
    ("fits", Overflow::Fits),
    ("saturate", Overflow::Saturate),
    ("wrap", Overflow::Wrap),
    ("infinity", Overflow::Infinity),
];

fn expression(argument: &Argument) -> Option<&Expr> {
    match argument {
        Argument::Expr(e) => Some(e),
        Argument::Clause(..) => None,
    }
}
