//! How a descriptor becomes a node of ONNX: the expressions of the YAML, compiled.
//!
//! Nothing here evaluates them. `spec export` writes them as trees, and the programs in `kernels/adapters` build nodes
//! and descriptors with these.

use crate::{
    model::{Catalog, Field, FieldKind, List, OnnxEntry, OnnxInput, Operator, Role, Text},
    program::expression,
    rule::{
        RuleError, Scope,
        check::describe,
        names::{field_type, nearest},
        typed::{Node, Op, Type},
    },
};

/// An entry, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// Names of nodes and the conditions under which a descriptor is this one.
    pub nodes: Vec<(Text, Node)>,
    /// Inputs by ONNX's names.
    pub inputs: Vec<(Text, Input)>,
    /// Outputs by ONNX's names: the field that receives each.
    pub outputs: Vec<(Text, usize)>,
    /// Attributes by ONNX's names.
    pub attributes: Vec<(Text, Node)>,
    /// Fields of the descriptor by expressions of `names`.
    pub fields: Vec<(usize, Node)>,
    /// What the expressions of `fields` may name: the operator's tensors, and the node's attributes and lists.
    pub names: Vec<Field>,
}

/// An input, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// A tensor, an array of tensors, a number or a list.
    pub value: Node,
    /// The data type that the node takes it in.
    pub data_type: Option<Node>,
    /// The sizes that the node sees.
    pub sizes: Option<Node>,
}

/// A mistake, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Which entry.
    pub entry: usize,
    /// Which part of it.
    pub part: Part,
    /// The mistake; its place is within the text of the part.
    pub error: RuleError,
}

/// A part of an entry. Numbers count as the file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The entry as a whole.
    Whole,
    /// The rule of a node.
    Node(usize),
    /// The value of an input, or its `type` or `sizes`.
    Input(usize, &'static str),
    /// The tensor of an output.
    Output(usize),
    /// An attribute.
    Attribute(usize),
    /// The expression of a field.
    Field(usize),
    /// The name of a field.
    FieldName(usize),
}

/// Compiles the entries of an operator.
///
/// # Errors
/// Every mistake.
pub fn compile(catalog: &Catalog, operator: &Operator) -> Result<Vec<Mapping>, Vec<Mistake>> {
    let mut compiler = Compiler {
        catalog,
        operator,
        entry: 0,
        mistakes: Vec::new(),
    };
    let mut mappings = Vec::new();
    for (index, entry) in operator.onnx.iter().enumerate() {
        compiler.entry = index;
        mappings.extend(compiler.entry(entry));
    }
    compiler.unreachable();
    match compiler.mistakes.is_empty() {
        true => Ok(mappings),
        false => Err(compiler.mistakes),
    }
}

/// All of them, after each was looked at.
fn every<T>(found: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let found: Vec<Option<T>> = found.collect();
    found.into_iter().collect()
}

struct Compiler<'a> {
    catalog: &'a Catalog,
    operator: &'a Operator,
    /// The entry in work.
    entry: usize,
    mistakes: Vec<Mistake>,
}

impl Compiler<'_> {
    fn entry(&mut self, entry: &OnnxEntry) -> Option<Mapping> {
        let before = self.mistakes.len();
        let nodes = entry.nodes.iter().enumerate();
        let nodes = every(nodes.map(|(at, (name, when))| Some((name.clone(), self.condition(at, when)?))));
        let inputs = entry.inputs.iter().enumerate();
        let inputs = every(inputs.map(|(at, (name, input))| Some((name.clone(), self.input(at, input)?))));
        let outputs = entry.outputs.iter().enumerate();
        let outputs = every(outputs.map(|(at, (name, tensor))| Some((name.clone(), self.output(at, tensor)?))));
        let attributes = entry.attributes.iter().enumerate();
        let attributes = every(attributes.map(|(at, (name, text))| Some((name.clone(), self.attribute(at, text)?))));
        let mut mapping = Mapping {
            nodes: nodes?,
            inputs: inputs?,
            outputs: outputs?,
            attributes: attributes?,
            fields: Vec::new(),
            names: Vec::new(),
        };
        self.complete(&mapping);
        self.distinct(entry);
        mapping.names = names(self.operator, &mapping);
        let fields = entry.fields.iter().enumerate();
        mapping.fields = every(fields.map(|(at, (name, text))| self.field(at, name, text, &mapping.names)))?;
        (self.mistakes.len() == before).then_some(mapping)
    }

    fn condition(&mut self, at: usize, when: &str) -> Option<Node> {
        match when.is_empty() {
            true => Some(Node {
                ty: Type::Bool,
                span: 0..0,
                op: Op::Bool(true),
            }),
            false => self.expression(Part::Node(at), when, Some(&Type::Bool)),
        }
    }

    fn mistake(&mut self, part: Part, error: RuleError) {
        self.mistakes.push(Mistake {
            entry: self.entry,
            part,
            error,
        });
    }

    fn expression(&mut self, part: Part, text: &str, expected: Option<&Type>) -> Option<Node> {
        let scope = Scope::operator(self.catalog, self.operator);
        self.expression_of(part, &scope, text, expected)
    }

    fn expression_of(&mut self, part: Part, scope: &Scope<'_>, text: &str, expected: Option<&Type>) -> Option<Node> {
        let found = expression(scope, text, expected);
        found.map_err(|error| self.mistake(part, error)).ok()
    }

    /// Reports an expression whose type is none of these.
    fn expect(&mut self, part: Part, node: &Node, types: &[Type], expected: &str) -> Option<()> {
        if types.contains(&node.ty) {
            return Some(());
        }
        let message = format!("found {}, expected {expected}", describe(&node.ty));
        self.mistake(part, RuleError::new("spec::ill-typed-rule", node.span.clone(), message));
        None
    }

    fn input(&mut self, at: usize, input: &OnnxInput) -> Option<Input> {
        let part = Part::Input(at, "value");
        let value = self.expression(part, &input.value, None);
        let option = |compiler: &mut Self, key, text: &Text, ty| match text.is_empty() {
            true => Some(None),
            false => compiler.expression(Part::Input(at, key), text, Some(ty)).map(Some),
        };
        let data_type = option(self, "type", &input.data_type, &Type::DataType);
        let sizes = option(self, "sizes", &input.sizes, &Type::List);
        let value = value?;
        let types = [
            Type::Tensor,
            Type::Tensors,
            Type::Int,
            Type::Float,
            Type::List,
            Type::FloatList,
        ];
        self.expect(
            part,
            &value,
            &types,
            "a tensor, an array of tensors, a number or a list",
        )?;
        if let Op::Field(index) = value.op
            && let Some(field) = self.operator.fields.get(index)
            && field.kind.role() == Some(Role::Output)
        {
            let error = self.no_tensor(&field.name, Role::Input, value.span.clone());
            self.mistake(part, error);
        }
        Some(Input {
            value,
            data_type: data_type?,
            sizes: sizes?,
        })
    }

    fn output(&mut self, at: usize, tensor: &Text) -> Option<usize> {
        let found = self.operator.field_index(tensor);
        let role = |index: &usize| self.operator.fields.get(*index).and_then(|field| field.kind.role());
        let found = found.filter(|index| role(index) == Some(Role::Output));
        if found.is_none() {
            let error = self.no_tensor(tensor, Role::Output, 0..tensor.len());
            self.mistake(Part::Output(at), error);
        }
        found
    }

    fn no_tensor(&self, name: &str, role: Role, span: std::ops::Range<usize>) -> RuleError {
        let word = if role == Role::Input { "input" } else { "output" };
        let fields = self.operator.fields.iter();
        let known = fields.filter(|field| field.kind.role() == Some(role));
        let message = format!("`{name}` is no {word} of {}", self.operator.name);
        RuleError {
            hint: nearest(name, known.map(|field| field.name.as_ref())),
            ..RuleError::new("spec::node-tensor", span, message)
        }
    }

    fn attribute(&mut self, at: usize, text: &str) -> Option<Node> {
        let part = Part::Attribute(at);
        let node = self.expression(part, text, None)?;
        let types = [
            Type::Bool,
            Type::Int,
            Type::Float,
            Type::List,
            Type::FloatList,
            Type::DataType,
        ];
        let expected = "a truth value, a number, a list or a data type";
        self.expect(part, &node, &types, expected)?;
        Some(node)
    }

    /// Reports tensors that every descriptor has and the node does not see.
    fn complete(&mut self, mapping: &Mapping) {
        let mut seen: Vec<usize> = mapping.outputs.iter().map(|(_, index)| *index).collect();
        for (_, input) in &mapping.inputs {
            input.value.walk(&mut |node| {
                if let (Op::Field(index), Type::Tensor | Type::Tensors) = (&node.op, &node.ty) {
                    seen.push(*index);
                }
            });
        }
        for (index, field) in self.operator.fields.iter().enumerate() {
            if field.kind.role().is_some() && !field.optional && !seen.contains(&index) {
                let key = if field.kind.role() == Some(Role::Input) {
                    "inputs"
                } else {
                    "outputs"
                };
                let message = format!("the node lacks {}", field.name);
                let error = RuleError {
                    hint: Some(format!("add it to `{key}`")),
                    ..RuleError::new("spec::node-tensor", 0..0, message)
                };
                self.mistake(Part::Whole, error);
            }
        }
    }

    /// Reports a tensor that receives two outputs, and a name that an input and an attribute share, which expressions of
    /// fields could not tell apart.
    fn distinct(&mut self, entry: &OnnxEntry) {
        for (at, (_, tensor)) in entry.outputs.iter().enumerate() {
            if entry.outputs.iter().take(at).any(|(_, before)| before == tensor) {
                let message = format!("{tensor} receives another output already");
                let error = RuleError::new("spec::node-tensor", 0..tensor.len(), message);
                self.mistake(Part::Output(at), error);
            }
        }
        for (at, (name, text)) in entry.attributes.iter().enumerate() {
            if entry.inputs.iter().any(|(input, _)| input == name) {
                let message = format!("`{name}` is an input of the node already");
                let error = RuleError::new("spec::bad-name", 0..text.len(), message);
                self.mistake(Part::Attribute(at), error);
            }
        }
    }

    fn field(&mut self, at: usize, name: &str, text: &str, names: &[Field]) -> Option<(usize, Node)> {
        let fields = &self.operator.fields;
        let found = fields.iter().enumerate().find(|(_, field)| field.name == name);
        let found = found.filter(|(_, field)| field.kind.role().is_none());
        let Some((index, ty)) = found.and_then(|(index, field)| Some((index, field_type(&field.kind)?))) else {
            let known = fields.iter().filter(|field| field.kind.role().is_none());
            let error = RuleError {
                hint: nearest(name, known.map(|field| field.name.as_ref())),
                ..RuleError::new(
                    "spec::unknown-field",
                    0..name.len(),
                    format!("`{name}` is no attribute of {}", self.operator.name),
                )
            };
            self.mistake(Part::FieldName(at), error);
            return None;
        };
        let scope = Scope::fields(self.catalog, names);
        let node = self.expression_of(Part::Field(at), &scope, text, Some(&ty))?;
        Some((index, node))
    }

    /// Reports nodes after one that every descriptor is.
    fn unreachable(&mut self) {
        let operator = self.operator;
        let entries = operator.onnx.iter().enumerate();
        let nodes = entries.flat_map(|(entry, found)| found.nodes.iter().enumerate().map(move |node| (entry, node)));
        let mut always = None;
        for (entry, (at, (name, when))) in nodes {
            let Some(first) = always else {
                always = when.is_empty().then_some(name);
                continue;
            };
            let message = format!("no descriptor is {name}: every one is {first}, which stands before it");
            self.mistakes.push(Mistake {
                entry,
                part: Part::Node(at),
                error: RuleError {
                    hint: Some(format!("give {first} a rule: `node: {{{first}: RULE}}`")),
                    ..RuleError::new("spec::unreachable-node", 0..name.len(), message)
                },
            });
        }
    }
}

/// What the expressions of fields may name.
fn names(operator: &Operator, mapping: &Mapping) -> Vec<Field> {
    let inputs = mapping.inputs.iter().map(|(name, input)| (name, &input.value.ty));
    let attributes = mapping.attributes.iter().map(|(name, node)| (name, &node.ty));
    let own = inputs.chain(attributes).filter_map(|(name, ty)| {
        let kind = match ty {
            Type::Bool | Type::Int => FieldKind::Int,
            Type::Float => FieldKind::Float,
            Type::List => FieldKind::Ints(Text::default()),
            Type::FloatList => FieldKind::Floats(Text::default()),
            _ => return None,
        };
        Some(Field {
            name: name.clone(),
            kind,
            optional: true,
            compare: None,
            in_place: List::default(),
            says: Text::default(),
        })
    });
    let tensors = operator.fields.iter().filter(|field| field.kind.role().is_some());
    own.chain(tensors.cloned()).collect()
}
