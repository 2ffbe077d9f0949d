//! Types of calls and quantifiers.

use std::ops::Range;

use super::{
    ast::{Expr, RuleError},
    check::{Checked, Checker, MAX_VARIABLES, describe},
    functions::{FUNCTIONS, Signature, Takes},
    names::nearest,
    typed::{Func, Op, Quantifier, Type},
};

impl Checker<'_> {
    pub(super) fn call(&mut self, name: &str, place: &Range<usize>, arguments: &[Expr]) -> Checked<(Type, Op)> {
        let Some(function) = FUNCTIONS.iter().find(|f| f.name == name) else {
            let hint = nearest(name, FUNCTIONS.iter().map(|f| f.name));
            let message = format!("there is no function `{name}`");
            return self.report(RuleError {
                hint,
                ..RuleError::new("spec::unknown-function", place.clone(), message)
            });
        };
        if function.data && !self.scope.data {
            let message = format!("`{name}` looks at the elements of a tensor, which only silences may");
            return self.report(RuleError::new("spec::unknown-function", place.clone(), message));
        }
        if arguments.len() != function.takes.len() {
            let (found, expected) = (arguments.len(), function.takes.len());
            return self.ill_typed(place, format!("`{name}` has {found} arguments, expected {expected}"));
        }
        let nodes: Vec<_> = arguments
            .iter()
            .zip(function.takes)
            .map(|(e, takes)| self.argument(function, e, takes))
            .collect();
        let nodes = nodes.into_iter().collect::<Option<_>>()?;
        Some((function.gives.clone(), Op::Call(function.func, nodes)))
    }

    fn argument(&mut self, function: &Signature, e: &Expr, takes: &Takes) -> Checked {
        let want = match takes {
            Takes::One(ty) => Some(ty),
            _ => None,
        };
        let node = self.expr(e, want)?;
        if !takes.accepts(&node.ty) {
            let (found, expected) = (describe(&node.ty), takes.describe());
            return self.ill_typed(
                &e.span,
                format!("found {found}, expected {expected} for `{}`", function.name),
            );
        }
        let place = matches!(node.op, Op::Field(_) | Op::Subject | Op::Element(..));
        if function.func == Func::Present && !place {
            let hint = Some("ask `has_sizes(X)` or `has_strides(X)` of a tensor's lists".to_owned());
            let message = "`present` is for fields, elements of tensor arrays and `tensor`";
            return self.report(RuleError {
                hint,
                ..RuleError::new("spec::ill-typed-rule", e.span.clone(), message)
            });
        }
        Some(node)
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: &str,
        [from, to, body]: [&Expr; 3],
        span: &Range<usize>,
    ) -> Checked<(Type, Op)> {
        if self.variables.len() >= MAX_VARIABLES {
            let message = format!("more than {MAX_VARIABLES} quantifiers in each other");
            return self.report(RuleError::new("spec::rule-syntax", span.clone(), message));
        }
        let (from, to) = (self.typed(from, &Type::Int), self.typed(to, &Type::Int));
        let (of, gives) = match quantifier {
            Quantifier::All | Quantifier::Any => (Type::Bool, Type::Bool),
            Quantifier::Sum | Quantifier::Product => (Type::Int, Type::Int),
            Quantifier::List => (Type::Int, Type::List),
        };
        self.variables.push(variable.to_owned());
        let body = self.typed(body, &of);
        self.variables.pop();
        Some((
            gives,
            Op::Quantified(quantifier, Box::new(from?), Box::new(to?), Box::new(body?)),
        ))
    }
}
