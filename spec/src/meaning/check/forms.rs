//! Types of the forms that bind variables.

use std::ops::Range;

use super::{Checked, Checker};
use crate::meaning::{
    typed::{Bound, Kind, Node, Op, Reduction, Scatter},
    types::Type,
};
use crate::rule::{
    ast::{Binder, Expr, Reduce},
    names::nearest,
};

/// The forms, by name.
pub(super) const FORMS: [&str; 15] = [
    "sum", "product", "min", "max", "all", "any", "count", "first", "last", "argmin", "argmax", "list", "order",
    "scan", "prefix",
];

impl Checker<'_> {
    pub(super) fn plain_form(
        &mut self,
        name: &str,
        variable: &str,
        from: &Expr,
        to: &Expr,
        body: &Expr,
        span: &Range<usize>,
    ) -> Checked<(Type, Op)> {
        let reduce = Reduce {
            name: name.to_owned(),
            place: span.clone(),
            binders: vec![Binder {
                name: variable.to_owned(),
                from: from.clone(),
                to: Some(to.clone()),
            }],
            state: None,
            arguments: Vec::new(),
            labelled: Vec::new(),
            body: Some(body.clone()),
            otherwise: None,
        };
        self.reduce(&reduce, span)
    }

    pub(super) fn reduce(&mut self, reduce: &Reduce, span: &Range<usize>) -> Checked<(Type, Op)> {
        if !FORMS.contains(&reduce.name.as_str()) && !reduce.name.starts_with("prefix ") {
            let hint = nearest(&reduce.name, FORMS);
            let message = format!("unknown form `{}`", reduce.name);
            return self.refuse("spec::unknown-function", &reduce.place, message, hint);
        }
        let scatters = reduce.labelled.iter().any(|(label, ..)| label == "to");
        self.known_labels(reduce, scatters)?;
        if let Some((name, start)) = &reduce.state {
            return self.scan(reduce, name, start, span);
        }
        let otherwise = reduce.otherwise.as_ref().map(|e| self.expr(e, None));
        let depth = self.variables.len();
        let formed = if scatters {
            self.scatter(reduce)
        } else {
            self.form(reduce, span)
        };
        self.variables.truncate(depth);
        let (mut ty, mut reduction) = formed?;
        if let Some(otherwise) = otherwise {
            let otherwise = otherwise?;
            ty = self.unify(&ty, &otherwise.ty, span)?;
            reduction.otherwise = Some(otherwise);
        }
        self.require_otherwise(&reduction, span)?;
        Some((ty, Op::Reduce(Box::new(reduction))))
    }

    fn known_labels(&mut self, reduce: &Reduce, scatters: bool) -> Checked<()> {
        let known: &[&str] = match (reduce.name.as_str(), scatters) {
            ("last", true) => &["to", "value", "where"],
            ("count", true) => &["to", "where"],
            ("order", _) => &["by"],
            ("scan", _) => &[],
            _ => &["where"],
        };
        for (i, (label, place, _)) in reduce.labelled.iter().enumerate() {
            if reduce.labelled.iter().take(i).any(|(before, ..)| before == label) {
                return self.refuse("spec::unknown-label", place, format!("`{label}` stands twice"), None);
            }
            if !known.contains(&label.as_str()) {
                let message = format!("`{}` takes no `{label}:`", reduce.name);
                let hint = nearest(label, known);
                return self.refuse("spec::unknown-label", place, message, hint);
            }
        }
        if !reduce.arguments.is_empty() && reduce.name != "order" {
            let at = reduce.arguments.first()?.span.clone();
            return self.ill_typed(&at, format!("unexpected argument of `{}`", reduce.name));
        }
        Some(())
    }

    fn label<'e>(reduce: &'e Reduce, label: &str) -> Option<&'e Expr> {
        let found = reduce.labelled.iter().find(|(name, ..)| name == label);
        found.map(|(_, _, e)| e)
    }

    fn form(&mut self, reduce: &Reduce, span: &Range<usize>) -> Checked<(Type, Reduction)> {
        let binders = self.binders(&reduce.binders)?;
        let filter = match Self::label(reduce, "where") {
            Some(e) => Some(self.typed(e, &Type::Bool)?),
            None => None,
        };
        let body = match (&reduce.body, Self::label(reduce, "by")) {
            (Some(e), None) | (None, Some(e)) => self.expr(e, None)?,
            _ => return self.ill_typed(span, format!("`{}` needs one value for each point", reduce.name)),
        };
        let point = point_type(&binders);
        let number = body.ty.is_number() || body.ty == Type::Open;
        let condition = body.ty == Type::Bool;
        let (kind, ty, fits) = match reduce.name.as_str() {
            "sum" => (Kind::Sum, body.ty.clone(), number),
            "product" => (Kind::Product, body.ty.clone(), number),
            "min" => (Kind::Min, body.ty.clone(), number),
            "max" => (Kind::Max, body.ty.clone(), number),
            "all" => (Kind::All, Type::Bool, condition),
            "any" => (Kind::Any, Type::Bool, condition),
            "count" => (Kind::Count, Type::Int, condition),
            "first" => (Kind::First, point, condition),
            "last" => (Kind::Last, point, condition),
            "argmin" => (Kind::ArgMin, point, number),
            "argmax" => (Kind::ArgMax, point, number),
            "list" => (Kind::List, Type::List(Box::new(body.ty.clone())), true),
            "order" => (Kind::Order(self.direction(reduce)?), Type::vector(), number),
            "prefix sum" => (Kind::PrefixSum, Type::List(Box::new(body.ty.clone())), number),
            "prefix product" => (Kind::PrefixProduct, Type::List(Box::new(body.ty.clone())), number),
            other => return self.ill_typed(span, format!("`{other}` needs a state, as in `s = 0`")),
        };
        if !fits {
            let expected = if number { "a truth value" } else { "a number" };
            let message = format!(
                "found {}, expected {expected} for `{}`",
                body.ty.describe(),
                reduce.name
            );
            return self.ill_typed(&body.span, message);
        }
        let single = matches!(
            kind,
            Kind::List | Kind::Order(_) | Kind::PrefixSum | Kind::PrefixProduct
        );
        if single && (binders.len() != 1 || filter.is_some() || binders.iter().any(|b| b.to.is_none())) {
            return self.ill_typed(span, format!("`{}` runs over one range, `j in a..b`", reduce.name));
        }
        let reduction = Reduction {
            kind,
            binders,
            filter,
            body: Some(body),
            otherwise: None,
        };
        Some((ty, reduction))
    }

    fn direction(&mut self, reduce: &Reduce) -> Checked<Option<Node>> {
        match reduce.arguments.as_slice() {
            [] => Some(None),
            [direction] => {
                let node = self.expr(direction, None)?;
                let fits = matches!(&node.ty, Type::Bool)
                    || matches!(&node.ty, Type::Enum(name) if name == "DML_AXIS_DIRECTION");
                if !fits {
                    let message = format!("found {}, expected a direction", node.ty.describe());
                    return self.ill_typed(&direction.span, message);
                }
                Some(Some(node))
            }
            [_, second, ..] => {
                let at = second.span.clone();
                self.ill_typed(&at, "`order` takes one direction".to_owned())
            }
        }
    }

    fn scan(&mut self, reduce: &Reduce, name: &str, start: &Expr, span: &Range<usize>) -> Checked<(Type, Op)> {
        if let Some(otherwise) = &reduce.otherwise {
            let message = "this form has a value over nothing: leave out the `else`".to_owned();
            return self.ill_typed(&otherwise.span, message);
        }
        let start = self.expr(start, None)?;
        let depth = self.variables.len();
        let parts = self.binders(&reduce.binders).and_then(|binders| {
            let slot = self.bind(name, start.ty.clone());
            let body = self.expr(reduce.body.as_ref()?, None)?;
            Some((binders, slot, body))
        });
        self.variables.truncate(depth);
        let (binders, slot, body) = parts?;
        if reduce.name != "scan" || binders.len() != 1 || binders.iter().any(|b| b.to.is_none()) {
            return self.ill_typed(
                span,
                "a state stands in `scan(t in a..b, s = start: next)` only".to_owned(),
            );
        }
        let ty = self.unify(&start.ty, &body.ty, span)?;
        let reduction = Reduction {
            kind: Kind::Scan(slot, start),
            binders,
            filter: None,
            body: Some(body),
            otherwise: None,
        };
        Some((Type::List(Box::new(ty)), Op::Reduce(Box::new(reduction))))
    }

    /// Points that lead to elements of the output: only in an output's meaning, and apart from its index.
    fn scatter(&mut self, reduce: &Reduce) -> Checked<(Type, Reduction)> {
        let Some((field, index)) = self.output else {
            let message = "`to:` leads to elements of an output, so it stands in an output's meaning".to_owned();
            return self.ill_typed(&reduce.place, message);
        };
        // Nothing around counts: where a point leads does not depend on the element that asks.
        let outer = std::mem::take(&mut self.variables);
        let parts = self.scatter_parts(reduce);
        self.variables = outer;
        let (binders, to, filter, value) = parts?;
        let id = self.meaning.scatters;
        self.meaning.scatters += 1;
        let scatter = Scatter { id, field, index, to };
        let (kind, ty) = match &value {
            Some(value) => (Kind::Scatter(scatter), value.ty.clone()),
            None => (Kind::ScatterCount(scatter), Type::Int),
        };
        let reduction = Reduction {
            kind,
            binders,
            filter,
            body: value,
            otherwise: None,
        };
        Some((ty, reduction))
    }

    #[expect(clippy::type_complexity, reason = "the parts of one form")]
    fn scatter_parts(&mut self, reduce: &Reduce) -> Checked<(Vec<Bound>, Node, Option<Node>, Option<Node>)> {
        let binders = self.binders(&reduce.binders)?;
        let to = self.typed(Self::label(reduce, "to")?, &Type::vector())?;
        let filter = match Self::label(reduce, "where") {
            Some(e) => Some(self.typed(e, &Type::Bool)?),
            None => None,
        };
        let value = match Self::label(reduce, "value") {
            Some(e) => Some(self.number(e)?),
            None if reduce.name == "last" => {
                return self.ill_typed(&reduce.place, "`last` with `to:` needs a `value:`".to_owned());
            }
            None => None,
        };
        if reduce.body.is_some() {
            return self.ill_typed(&reduce.place, "a form with `to:` has no body".to_owned());
        }
        Some((binders, to, filter, value))
    }

    /// Extremes and places over what may be empty need a value for that.
    fn require_otherwise(&mut self, reduction: &Reduction, span: &Range<usize>) -> Checked<()> {
        let never_empty =
            reduction.filter.is_none() && reduction.binders.iter().all(|bound| self.is_never_empty(bound));
        let needs = match reduction.kind {
            Kind::Min | Kind::Max | Kind::ArgMin | Kind::ArgMax => !never_empty,
            Kind::First | Kind::Last | Kind::Scatter(_) => true,
            _ => {
                if let Some(otherwise) = &reduction.otherwise {
                    let at = otherwise.span.clone();
                    return self.ill_typed(
                        &at,
                        "this form has a value over nothing: leave out the `else`".to_owned(),
                    );
                }
                false
            }
        };
        if needs && reduction.otherwise.is_none() {
            let message = "this may run over nothing: say what it is then".to_owned();
            let hint = Some("add `else` and a value".to_owned());
            return self.refuse("spec::empty-range", span, message, hint);
        }
        Some(())
    }

    fn is_never_empty(&self, bound: &Bound) -> bool {
        match &bound.to {
            None => self.is_size(&bound.from),
            Some(to) => matches!(bound.from.op, Op::Int(0)) && self.is_size(to),
        }
    }
}

/// The type of a point: a number, an index vector, or the numbers of several variables.
fn point_type(binders: &[Bound]) -> Type {
    match binders {
        [Bound { to: Some(_), .. }] => Type::Int,
        _ => Type::vector(),
    }
}
