//! Types of names: fields, properties, variables, intermediates, and elements by index.

use std::ops::Range;

use super::{Checked, Checker};
use crate::meaning::{
    typed::{Op, TensorRef},
    types::Type,
};
use crate::{
    model::{DATA_TYPE, FieldKind, NumberClass, Role},
    rule::{
        ast::{Expr, ExprKind},
        names::{PROPS, constant, constants, nearest, prop, prop_type},
        typed::Type as RuleType,
    },
};

impl Checker<'_> {
    pub(super) fn name(&mut self, name: &str, span: &Range<usize>, want: Option<&Type>) -> Checked<(Type, Op)> {
        if let Some(variable) = self.variables.iter().rev().find(|v| v.name == name) {
            return Some((variable.ty.clone(), Op::Slot(variable.slot)));
        }
        if let Some(at) = self.definition(name) {
            let definition = self.meaning.definitions.get(at)?;
            if definition.domain.is_empty() {
                return Some((definition.body.ty.clone(), Op::Definition(at, Vec::new())));
            }
            return self.ill_typed(
                span,
                format!("the intermediate `{name}` needs its indices, as in `{name}[…]`"),
            );
        }
        if let Some(at) = self.operator.fields.iter().position(|f| f.name == name) {
            return self.field(at);
        }
        let rule_type = match want {
            Some(Type::DataType) => Some(RuleType::DataType),
            Some(Type::Enum(of)) => Some(RuleType::Enum(of.clone())),
            _ => None,
        };
        if let Some((ty, value)) = constant(self.catalog, name, rule_type.as_ref()) {
            let ty = match ty {
                RuleType::DataType => Type::DataType,
                RuleType::Enum(of) => Type::Enum(of),
                _ => Type::Int,
            };
            return Some((ty, Op::Int(value)));
        }
        if self.heads.iter().any(|head| head == name) {
            let message = format!("`{name}` is used before it is defined");
            let hint = Some("an intermediate uses those above it, and not itself".to_owned());
            return self.refuse("spec::unknown-name", span, message, hint);
        }
        let constants = constants(self.catalog, rule_type.as_ref());
        let fields = self.operator.fields.iter().map(|f| f.name.to_string());
        let variables = self.variables.iter().map(|v| v.name.clone());
        let definitions = self.meaning.definitions.iter().map(|d| d.name.to_string());
        let known = fields.chain(variables).chain(definitions).chain(constants);
        let hint = nearest(name, known.collect::<Vec<_>>());
        let message = format!("`{name}` is neither a field nor a variable nor an intermediate above");
        self.refuse("spec::unknown-name", span, message, hint)
    }

    fn field(&mut self, at: usize) -> Checked<(Type, Op)> {
        let ty = match &self.operator.fields.get(at)?.kind {
            FieldKind::UInt | FieldKind::Int => Type::Int,
            FieldKind::Float => Type::Real,
            FieldKind::Bool => Type::Bool,
            FieldKind::Enum(name) if name == DATA_TYPE => Type::DataType,
            FieldKind::Enum(name) => Type::Enum(name.clone()),
            FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Size2D => Type::vector(),
            FieldKind::Floats(_) => Type::List(Box::new(Type::Real)),
            FieldKind::Scalar(_) => Type::Number,
            FieldKind::ScaleBias => Type::ScaleBias,
            FieldKind::Operator => Type::Operator,
            FieldKind::Operators(_) => Type::Operators,
            FieldKind::Tensors(..) => Type::Tensors,
            FieldKind::Tensor(_) => {
                let tensor = TensorRef {
                    field: at,
                    element: None,
                };
                return Some((Type::Tensor, Op::Tensor(tensor)));
            }
        };
        Some((ty, Op::Field(at)))
    }

    pub(super) fn member(&mut self, base: &Expr, name: &str, place: &Range<usize>) -> Checked<(Type, Op)> {
        let base = self.expr(base, None)?;
        match (&base.op, &base.ty) {
            (Op::Tensor(tensor), _) => {
                let Some(prop) = prop(name) else {
                    let hint = nearest(name, PROPS.map(|(name, _)| name));
                    let message = format!("a tensor has no property `{name}`");
                    return self.refuse("spec::unknown-property", place, message, hint);
                };
                let ty = match prop_type(prop) {
                    RuleType::DataType => Type::DataType,
                    RuleType::List => Type::vector(),
                    RuleType::Enum(of) => Type::Enum(of),
                    _ => Type::Int,
                };
                Some((ty, Op::Prop(tensor.clone(), prop)))
            }
            (Op::Field(at), Type::ScaleBias) if name == "Scale" => Some((Type::Real, Op::ScaleBiasPart(*at, 0))),
            (Op::Field(at), Type::ScaleBias) if name == "Bias" => Some((Type::Real, Op::ScaleBiasPart(*at, 1))),
            (_, ty) => {
                let message = format!("{} has no property `{name}`", ty.describe());
                self.refuse("spec::unknown-property", place, message, None)
            }
        }
    }

    pub(super) fn index(&mut self, base: &Expr, index: &Expr, span: &Range<usize>) -> Checked<(Type, Op)> {
        if let ExprKind::Name(name) = &base.kind
            && !self.variables.iter().any(|v| v.name == *name)
            && let Some(at) = self.definition(name)
            && self.meaning.definitions.get(at).is_some_and(|d| !d.domain.is_empty())
        {
            return self.lookup(at, index);
        }
        let base = self.expr(base, None)?;
        match (base.ty.clone(), base.op.clone()) {
            (Type::Tensor, Op::Tensor(tensor)) => {
                let place = &index.span;
                let index = self.typed(index, &Type::vector())?;
                self.readable(tensor.field, span)?;
                if let (Some(length), Some((least, most))) = (self.length(&index), self.ranks(tensor.field))
                    && !(least..=most).contains(&length)
                {
                    let ranks = if least == most {
                        most.to_string()
                    } else {
                        format!("{least} to {most}")
                    };
                    let message = format!("the index has {length} numbers, the tensor {ranks} dimensions");
                    return self.ill_typed(place, message);
                }
                Some((self.element_type(tensor.field), Op::Read(tensor, Box::new(index))))
            }
            (Type::Tensors, Op::Field(field)) => {
                let element = Some(Box::new(self.typed(index, &Type::Int)?));
                Some((Type::Tensor, Op::Tensor(TensorRef { field, element })))
            }
            (Type::Operators, _) => {
                let index = self.typed(index, &Type::Int)?;
                Some((Type::Operator, Op::At(Box::new(base), Box::new(index))))
            }
            (Type::List(of), _) => {
                // `state[0, j]` looks into a list of lists.
                let indices: Vec<&Expr> = match &index.kind {
                    ExprKind::List(items) => items.iter().collect(),
                    _ => vec![index],
                };
                let (mut node, mut ty) = (base, *of);
                for (depth, index) in indices.iter().enumerate() {
                    let index = self.typed(index, &Type::Int)?;
                    if let (Some(at), Some(length)) = (literal(&index.op), self.length(&node))
                        && !usize::try_from(at).is_ok_and(|at| at < length)
                    {
                        let message = format!("index {at} lies outside a list of {length}");
                        return self.ill_typed(&index.span, message);
                    }
                    if depth > 0 {
                        let Type::List(of) = ty else {
                            return self.ill_typed(span, format!("found {}, expected a list to index", ty.describe()));
                        };
                        ty = *of;
                    }
                    node = Self::node(ty.clone(), span, Op::At(Box::new(node), Box::new(index)));
                }
                Some((ty, node.op))
            }
            (other, _) => self.ill_typed(
                span,
                format!("found {}, expected a tensor or list to index", other.describe()),
            ),
        }
    }

    /// Only inputs are read: what an output holds before the run is nobody's.
    pub(super) fn readable(&mut self, field: usize, span: &Range<usize>) -> Checked<()> {
        let found = self.operator.fields.get(field)?;
        if found.kind.role() == Some(Role::Output) && !self.reads_outputs {
            let message = format!("`{}` is an output: no meaning reads its elements", found.name);
            return self.ill_typed(span, message);
        }
        Some(())
    }

    /// An intermediate at a point: an index for each of its variables.
    fn lookup(&mut self, at: usize, index: &Expr) -> Checked<(Type, Op)> {
        let definition = self.meaning.definitions.get(at)?;
        let ty = definition.body.ty.clone();
        let kinds: Vec<Type> = definition
            .domain
            .iter()
            .map(|bound| if bound.to.is_some() { Type::Int } else { Type::vector() })
            .collect();
        let name = definition.name.clone();
        let items: Vec<&Expr> = match &index.kind {
            ExprKind::List(items) if kinds.len() > 1 || kinds.first() == Some(&Type::Int) => items.iter().collect(),
            _ => vec![index],
        };
        if items.len() != kinds.len() {
            let (found, expected) = (items.len(), kinds.len());
            return self.ill_typed(&index.span, format!("`{name}` has {expected} indices, found {found}"));
        }
        let nodes: Vec<_> = items.iter().zip(&kinds).map(|(e, ty)| self.typed(e, ty)).collect();
        Some((ty, Op::Definition(at, nodes.into_iter().collect::<Option<_>>()?)))
    }

    /// Whether a data type is floating point, by its value.
    pub(super) fn is_float(&self, value: i128) -> bool {
        let data_type = u32::try_from(value)
            .ok()
            .and_then(|value| self.catalog.data_type(value));
        data_type.is_some_and(|ty| ty.class == NumberClass::Float)
    }

    /// The type of a tensor's elements, by the tables.
    pub(super) fn element_type(&self, field: usize) -> Type {
        let Some(name) = self.operator.fields.get(field).map(|f| &f.name) else {
            return Type::Number;
        };
        let rows = self.operator.support.iter().flat_map(|table| table.rows.iter());
        let types = rows.filter(|row| row.tensor == *name).flat_map(|row| row.types.iter());
        let classes = types
            .filter_map(|ty| self.catalog.data_type_named(ty))
            .map(|ty| ty.class == NumberClass::Float);
        let (mut float, mut whole) = (false, false);
        for is_float in classes {
            float |= is_float;
            whole |= !is_float;
        }
        match (float, whole) {
            (true, false) => Type::Real,
            (false, true) => Type::Int,
            _ => Type::Number,
        }
    }
}

/// A whole number that the text states.
fn literal(op: &Op) -> Option<i128> {
    match op {
        Op::Int(value) => Some(*value),
        Op::Neg(of) => match of.op {
            Op::Int(value) => value.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}
