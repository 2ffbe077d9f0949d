//! The normal form of a rule: fields by kind and order of use, `==`, `and`, `or` and sums in one order, `>` turned
//! around, equalities joined to sets.

use dml_spec::{
    Catalog,
    model::{FieldKind, Operator, Role},
    rule::{
        syntax::{Expr, ExprKind},
        typed::Binary,
    },
};

/// Whose names a rule uses: an operator's, or those of a tensor where there is none.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The specification.
    pub catalog: &'a Catalog,
    /// The operator.
    pub operator: Option<&'a Operator>,
}

/// Properties that rules of tensor clauses use as names.
const PROPERTIES: [&str; 9] = [
    "tensor",
    "Type",
    "DataType",
    "Flags",
    "DimensionCount",
    "Sizes",
    "Strides",
    "TotalTensorSizeInBytes",
    "GuaranteedBaseOffsetAlignment",
];

/// The normal form, as text that equal statements share.
///
/// # Errors
/// Names that mean nothing in this scope.
pub fn normal(scope: &Scope<'_>, expr: &Expr) -> Result<String, Vec<String>> {
    let mut maker = Maker {
        scope,
        bound: Vec::new(),
        unknown: Vec::new(),
    };
    let form = maker.form(expr);
    if !maker.unknown.is_empty() {
        maker.unknown.dedup();
        return Err(maker.unknown);
    }
    let mut text = String::new();
    form.write(&mut Some(Vec::new()), &mut text);
    Ok(text)
}

/// A rule without its names.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Leaf(String),
    /// A field: its kind and its name, which only tells it from others.
    Field(String, String),
    /// Parts in order.
    Node(String, Vec<Form>),
}

impl Form {
    /// Writes it; fields are numbered as they come, or all alike where `seen` is `None`.
    fn write(&self, seen: &mut Option<Vec<String>>, out: &mut String) {
        match self {
            Self::Leaf(text) => out.push_str(text),
            Self::Field(kind, name) => {
                out.push_str(kind);
                if let Some(seen) = seen {
                    let at = seen.iter().position(|n| n == name).unwrap_or(seen.len());
                    if at == seen.len() {
                        seen.push(name.clone());
                    }
                    out.push_str(&format!("#{at}"));
                }
            }
            Self::Node(head, parts) => {
                out.push_str(head);
                out.push('(');
                for part in parts {
                    part.write(seen, out);
                    out.push(',');
                }
                out.push(')');
            }
        }
    }

    fn skeleton(&self) -> String {
        let mut text = String::new();
        self.write(&mut None, &mut text);
        text
    }
}

/// A node whose parts may stand in any order.
fn any_order(head: &str, mut parts: Vec<Form>) -> Form {
    parts.sort_by_cached_key(Form::skeleton);
    Form::Node(head.to_owned(), parts)
}

struct Maker<'a> {
    scope: &'a Scope<'a>,
    /// Variables of the quantifiers around, the innermost last.
    bound: Vec<String>,
    unknown: Vec<String>,
}

impl Maker<'_> {
    fn form(&mut self, expr: &Expr) -> Form {
        let leaf = |text: String| Form::Leaf(text);
        match &expr.kind {
            ExprKind::Bool(value) => leaf(value.to_string()),
            ExprKind::Int(value) => leaf(value.to_string()),
            ExprKind::Float(value) => leaf(format!("{value:?}")),
            ExprKind::Level(level) => leaf(format!("level {level}")),
            ExprKind::Name(name) => self.name(name),
            ExprKind::List(items) => self.node("list", items),
            ExprKind::Member(of, member, _) => {
                let of = self.form(of);
                Form::Node(format!(".{member}"), vec![of])
            }
            ExprKind::Index(a, b) => self.node("index", [&**a, b]),
            ExprKind::With(a, b, c) => self.node("with", [&**a, b, c]),
            ExprKind::Not(a) => self.node("not", [&**a]),
            ExprKind::Neg(a) => self.node("neg", [&**a]),
            ExprKind::Binary(Binary::And, ..) | ExprKind::Compare(..) => self.conjunction(expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::In(value, members) => {
                let value = self.form(value);
                let members = members.iter().map(|m| self.form(m)).collect();
                Form::Node("in".to_owned(), vec![value, any_order("set", members)])
            }
            ExprKind::If(a, b, c) => self.node("if", [&**a, b, c]),
            ExprKind::Call(name, _, parts) => self.node(name, parts),
            ExprKind::Quantified(quantifier, variable, from, to, body) => {
                let (from, to) = (self.form(from), self.form(to));
                self.bound.push(variable.clone());
                let body = self.form(body);
                self.bound.pop();
                Form::Node(format!("{quantifier:?}"), vec![from, to, body])
            }
        }
    }

    fn node<'e>(&mut self, head: &str, parts: impl IntoIterator<Item = &'e Expr>) -> Form {
        Form::Node(head.to_owned(), parts.into_iter().map(|part| self.form(part)).collect())
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) -> Form {
        match op {
            Binary::Or | Binary::Add | Binary::Mul => {
                let mut parts = Vec::new();
                self.flatten(op, a, &mut parts);
                self.flatten(op, b, &mut parts);
                any_order(&format!("{op:?}"), parts)
            }
            op => self.node(&format!("{op:?}"), [a, b]),
        }
    }

    fn flatten(&mut self, op: Binary, expr: &Expr, parts: &mut Vec<Form>) {
        match &expr.kind {
            ExprKind::Binary(inner, a, b) if *inner == op => {
                self.flatten(op, a, parts);
                self.flatten(op, b, parts);
            }
            _ => parts.push(self.form(expr)),
        }
    }

    /// `and` and chains of comparisons: what is equal goes into sets.
    fn conjunction(&mut self, expr: &Expr) -> Form {
        let (mut sets, mut others): (Vec<Vec<Form>>, Vec<Form>) = (Vec::new(), Vec::new());
        self.conjuncts(expr, &mut sets, &mut others);
        let mut parts: Vec<Form> = sets.into_iter().map(|set| any_order("Eq", set)).collect();
        parts.append(&mut others);
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                any_order("And", parts)
            }
        }
    }

    fn conjuncts(&mut self, expr: &Expr, sets: &mut Vec<Vec<Form>>, others: &mut Vec<Form>) {
        match &expr.kind {
            ExprKind::Binary(Binary::And, a, b) => {
                self.conjuncts(a, sets, others);
                self.conjuncts(b, sets, others);
            }
            ExprKind::Compare(first, rest) => {
                let mut left = self.form(first);
                for (op, right) in rest {
                    let right = self.form(right);
                    match op {
                        Binary::Eq => equate(sets, left, right.clone()),
                        Binary::Ne => others.push(any_order("Ne", vec![left, right.clone()])),
                        Binary::Gt => others.push(Form::Node("Lt".to_owned(), vec![right.clone(), left])),
                        Binary::Ge => others.push(Form::Node("Le".to_owned(), vec![right.clone(), left])),
                        op => others.push(Form::Node(format!("{op:?}"), vec![left, right.clone()])),
                    }
                    left = right;
                }
            }
            _ => others.push(self.form(expr)),
        }
    }

    fn name(&mut self, name: &str) -> Form {
        if let Some(depth) = self.bound.iter().rev().position(|bound| bound == name) {
            return Form::Leaf(format!("${depth}"));
        }
        let fields = self
            .scope
            .operator
            .map(|operator| &*operator.fields)
            .unwrap_or_default();
        if let Some(field) = fields.iter().find(|field| field.name == name) {
            return Form::Field(kind(&field.kind), name.to_owned());
        }
        let property = self.scope.operator.is_none() && PROPERTIES.contains(&name);
        if !property && name != "Level" && !self.is_constant(name) {
            self.unknown.push(name.to_owned());
        }
        Form::Leaf(self.short(name).to_owned())
    }

    /// A constant without the prefix of its enumeration.
    fn short<'n>(&self, name: &'n str) -> &'n str {
        let enums = self.scope.catalog.enums.iter();
        let prefixes = enums.map(|e| e.prefix()).chain(["DML_TENSOR_DATA_TYPE_".to_owned()]);
        let mut found = prefixes.filter_map(|prefix| name.strip_prefix(prefix.as_str()));
        found.next().unwrap_or(name)
    }

    fn is_constant(&self, name: &str) -> bool {
        let catalog = self.scope.catalog;
        let short = self.short(name);
        let member = |e: &dml_spec::model::Enum| {
            let prefix = e.prefix();
            e.members
                .iter()
                .any(|m| m.name == name || m.name.strip_prefix(prefix.as_str()) == Some(short))
        };
        catalog.data_type_named(short).is_some()
            || catalog.operator(short).is_some()
            || catalog.enums.iter().any(member)
    }
}

/// Puts two equal things into one set, with all that equal them.
fn equate(sets: &mut Vec<Vec<Form>>, a: Form, b: Form) {
    let (touched, kept): (Vec<_>, Vec<_>) = sets.drain(..).partition(|set| set.contains(&a) || set.contains(&b));
    let mut joined: Vec<Form> = Vec::new();
    for form in touched.into_iter().flatten().chain([a, b]) {
        if !joined.contains(&form) {
            joined.push(form);
        }
    }
    *sets = kept;
    sets.push(joined);
}

/// What a field is, without names of others.
fn kind(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Tensor(Role::Input) => "input",
        FieldKind::Tensor(Role::Output) => "output",
        FieldKind::Tensors(Role::Input, _) => "inputs",
        FieldKind::Tensors(Role::Output, _) => "outputs",
        FieldKind::UInt => "UINT",
        FieldKind::Int => "INT",
        FieldKind::Float => "FLOAT",
        FieldKind::Bool => "BOOL",
        FieldKind::Enum(name) => name,
        FieldKind::UInts(_) => "UINTs",
        FieldKind::Ints(_) => "INTs",
        FieldKind::Floats(_) => "FLOATs",
        FieldKind::ScaleBias => "SCALE_BIAS",
        FieldKind::Size2D => "SIZE_2D",
        FieldKind::Scalar(_) => "SCALAR",
        FieldKind::Operator => "OPERATOR",
        FieldKind::Operators(_) => "OPERATORs",
    }
    .to_owned()
}
