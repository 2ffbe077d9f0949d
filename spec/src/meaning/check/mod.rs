//! Gives the names of a meaning their sense and every part its type.

mod calls;
mod expr;
mod forms;
mod legal;
mod mistakes;
mod openings;
mod ranks;
mod reads;
mod unguarded;
mod variants;

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

pub use self::mistakes::{Mistaken, mistaken};
use self::{legal::Sizes, unguarded::Extent};
use crate::meaning::{
    functions::FUNCTIONS,
    typed::{Bound, Definition, Meaning, Node, Op, Output},
    types::Type,
};
use crate::{
    model::{Catalog, Clause, ClauseKind, FieldKind, Operator, Role},
    rule::{
        Head, RuleError,
        ast::{Binder, Expr},
        parse, parse_head,
    },
};

/// One line of a meaning: `OutputTensor[o]`, and the expression after the colon.
pub type Entry<'a> = (&'a str, &'a str);

/// Names of everything built into the language: functions and forms, once each.
pub fn built_ins() -> BTreeSet<&'static str> {
    let functions = FUNCTIONS.iter().map(|signature| signature.name);
    functions.chain(calls::FORMS).chain(forms::FORMS).collect()
}

/// Where a mistake stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a head of the meaning.
    Head(usize),
    /// In an expression of the meaning.
    Body(usize),
    /// In what a clause leaves open.
    Opens {
        /// The clause.
        clause: usize,
        /// Its entry.
        entry: usize,
        /// In the name of the tensor, not in the condition.
        in_tensor: bool,
    },
    /// In a variant of a clause.
    Tells {
        /// The clause.
        clause: usize,
        /// The variant.
        variant: usize,
        /// Its entry.
        entry: usize,
        /// In what is replaced, not in what stands instead.
        in_key: bool,
    },
    /// In an invariant of a clause.
    Holds {
        /// The clause.
        clause: usize,
        /// The invariant.
        invariant: usize,
        /// Its entry.
        entry: usize,
        /// In the name of the tensor, not in the condition.
        in_key: bool,
    },
    /// In a mistake that has a name.
    Named {
        /// The mistake.
        mistake: usize,
        /// Under `any`, not under `meaning`.
        in_any: bool,
        /// Its entry; its name if it has none of this number.
        entry: usize,
        /// In the name of the line or tensor, not in the text after it.
        in_key: bool,
    },
}

/// A mistake in a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Which text has it.
    pub place: Place,
    /// What is wrong, with its place in the text.
    pub error: RuleError,
}

/// Checks what an operator computes by its `meaning`, what its clauses leave open, and mistakes that have a name. `None`
/// if it has no meaning.
///
/// # Errors
/// Every mistake found.
pub fn compile(catalog: &Catalog, operator: &Operator) -> Result<Option<Meaning>, Vec<Mistake>> {
    if operator.meaning.is_empty()
        && operator
            .clauses
            .iter()
            .all(|clause| clause.opens.is_empty() && clause.tells.is_empty() && clause.holds.is_empty())
        && operator.mistakes.is_empty()
    {
        return Ok(None);
    }
    let entries: Vec<Entry<'_>> = operator.meaning.iter().map(|(head, body)| (&**head, &**body)).collect();
    let meaning = check(catalog, operator, &entries);
    let named = mistakes::check_all(catalog, operator, meaning.is_ok());
    let meaning = match (meaning, named) {
        (Err(mut all), named) => {
            all.extend(named.err().unwrap_or_default());
            return Err(all);
        }
        (Ok(meaning), named) => named.map(|_| meaning)?,
    };
    Ok((!operator.meaning.is_empty()).then_some(meaning))
}

/// Checks these texts as what an operator computes: intermediates first, each output once.
///
/// # Errors
/// Every mistake found.
pub fn check(catalog: &Catalog, operator: &Operator, entries: &[Entry<'_>]) -> Result<Meaning, Vec<Mistake>> {
    let mut checker = Checker::new(catalog, operator, entries);
    checker.lines(entries);
    checker.require_definitions();
    checker.openings();
    if !entries.is_empty() {
        checker.require_outputs();
        checker.variants();
    }
    if checker.mistakes.is_empty() {
        Ok(checker.meaning)
    } else {
        Err(checker.mistakes)
    }
}

/// A name in scope.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) slot: usize,
    pub(super) ty: Type,
}

pub(super) struct Checker<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) operator: &'a Operator,
    pub(super) meaning: Meaning,
    pub(super) variables: Vec<Variable>,
    /// Field and index variable of the output whose meaning is read.
    pub(super) output: Option<(usize, usize)>,
    /// Names of all intermediates, those below as well.
    pub(super) heads: Vec<String>,
    /// How long the lists in variables are, as far as it is known.
    pub(super) lengths: BTreeMap<usize, usize>,
    /// What variables run over, if it is a tensor or a dimension of one.
    extents: BTreeMap<usize, Extent>,
    /// Which intermediates every evaluation needs.
    needed: Vec<bool>,
    /// What clauses say of sizes, read when it is first asked for.
    sizes: OnceCell<Sizes>,
    /// How many intermediates are in scope.
    pub(super) visible: usize,
    /// Whether outputs may be read: by invariants.
    pub(super) reads_outputs: bool,
    pub(super) place: Place,
    mistakes: Vec<Mistake>,
}

/// `None` after the mistake has been reported.
pub(super) type Checked<T = Node> = Option<T>;

impl<'a> Checker<'a> {
    fn new(catalog: &'a Catalog, operator: &'a Operator, entries: &[Entry<'_>]) -> Self {
        let head_name = |(head, _): &Entry<'_>| parse_head(head).map(|head| head.name).unwrap_or_default();
        Self {
            catalog,
            operator,
            meaning: Meaning::default(),
            variables: Vec::new(),
            output: None,
            heads: entries.iter().map(head_name).collect(),
            lengths: BTreeMap::new(),
            extents: BTreeMap::new(),
            needed: Vec::new(),
            sizes: OnceCell::new(),
            visible: usize::MAX,
            reads_outputs: false,
            place: Place::Head(0),
            mistakes: Vec::new(),
        }
    }

    /// Reads the lines of a meaning.
    fn lines(&mut self, entries: &[Entry<'_>]) {
        for (entry, (head, body)) in entries.iter().enumerate() {
            self.place = Place::Head(entry);
            if let Err(error) = self.read(entry, head, body) {
                self.report::<()>(error);
            }
        }
    }

    fn read(&mut self, entry: usize, head: &str, body: &str) -> Result<(), RuleError> {
        self.variables.clear();
        self.output = None;
        let head = parse_head(head)?;
        let field = self.operator.fields.iter().position(|f| f.name == head.name);
        match field {
            Some(field) => {
                if let Some((element, index)) = self.open_output(field, &head) {
                    self.place = Place::Body(entry);
                    let body = parse(body)?;
                    self.output = Some((field, index));
                    if let Some(body) = self.value(&body, field) {
                        self.require_element(&body, field, false);
                        self.meaning.outputs.push(Output {
                            field,
                            element,
                            index,
                            body,
                        });
                    }
                }
            }
            None => {
                if let Some(domain) = self.open_definition(&head) {
                    self.place = Place::Body(entry);
                    let body = parse(body)?;
                    // What uses an intermediate that is wrong is not wrong for that.
                    let unknown = Self::node(Type::Open, &body.span, Op::Open(0, Vec::new()));
                    let body = self.kept(&body).unwrap_or(unknown);
                    self.meaning.definitions.push(Definition {
                        name: Cow::Owned(head.name),
                        domain,
                        body,
                    });
                }
            }
        }
        Ok(())
    }

    /// A value that has a name: anything but a tensor and the like, which are no values.
    pub(super) fn kept(&mut self, e: &Expr) -> Checked {
        let node = self.expr(e, None)?;
        match node.ty {
            Type::Tensor | Type::Tensors | Type::Operators | Type::ScaleBias => {
                let message = format!("found {}, expected a value", node.ty.describe());
                self.ill_typed(&e.span, message)
            }
            _ => Some(node),
        }
    }

    /// The value of an element of a tensor: a number. A truth value is one of whole numbers, which 0 and 1 are.
    pub(super) fn value(&mut self, e: &Expr, field: usize) -> Checked {
        let node = self.expr(e, None)?;
        if node.ty.is_number() || node.ty == Type::Open {
            return Some(node);
        }
        let is_whole = self.element_type(field) == Type::Int || self.operator.support.is_empty();
        if node.ty == Type::Bool && is_whole {
            return Some(node);
        }
        let found = node.ty.describe();
        let message = format!("found {found}, expected the number of an element");
        let hint = (node.ty == Type::Bool).then(|| "write `if … then 1 else 0`".to_owned());
        self.refuse("spec::ill-typed-meaning", &e.span, message, hint)
    }

    fn open_output(&mut self, field: usize, head: &Head) -> Checked<(Option<usize>, usize)> {
        let array = match &self.operator.fields.get(field)?.kind {
            FieldKind::Tensor(Role::Output) => false,
            FieldKind::Tensors(Role::Output, _) => true,
            _ => {
                let message = format!("`{}` is no output", head.name);
                return self.refuse("spec::meaning-head", &head.place, message, None);
            }
        };
        if self.meaning.outputs.iter().any(|output| output.field == field) {
            let message = format!("`{}` has a meaning already", head.name);
            return self.refuse("spec::meaning-head", &head.place, message, None);
        }
        let expected = if array {
            "`[n][o]`: the place in the array, and the index vector"
        } else {
            "`[o]`: the index vector"
        };
        if head.indices.len() != 1 + usize::from(array) || !head.domain.is_empty() {
            let message = format!("`{}` needs {expected}", head.name);
            return self.refuse("spec::meaning-head", &head.place, message, None);
        }
        let mut names = head.indices.iter().map(|(name, _)| name.clone());
        let element = if array {
            Some(self.bind(&names.next()?, Type::Int))
        } else {
            None
        };
        let index = self.bind(&names.next()?, Type::vector());
        self.note_rank(index, field);
        self.note_index(index, field);
        Some((element, index))
    }

    fn open_definition(&mut self, head: &Head) -> Checked<Vec<Bound>> {
        if let Some((name, place)) = head.indices.first() {
            let message = format!("the index `{name}` of an intermediate needs a domain, as in `[{name} in Sizes]`");
            let hint = nearest_output(self.operator, &head.name);
            return self.refuse("spec::meaning-head", place, message, hint);
        }
        let known = self.meaning.definitions.iter().any(|d| d.name == head.name);
        if known || self.is_taken(&head.name) {
            let message = format!("`{}` has a sense already", head.name);
            return self.refuse("spec::meaning-head", &head.place, message, None);
        }
        self.binders(&head.domain)
    }

    fn is_taken(&self, name: &str) -> bool {
        crate::meaning::functions::FUNCTIONS.iter().any(|f| f.name == name)
            || self::forms::FORMS.contains(&name)
            || self::calls::FORMS.contains(&name)
            || crate::rule::names::constant(self.catalog, name, None).is_some()
            || self.catalog.data_type_named(name).is_some()
    }

    /// Binds variables in turn; a later domain may use earlier ones.
    pub(super) fn binders(&mut self, binders: &[Binder]) -> Checked<Vec<Bound>> {
        let mut bounds = Vec::with_capacity(binders.len());
        for binder in binders {
            let (from, to, ty) = match &binder.to {
                Some(to) => {
                    let (from, to) = (self.typed(&binder.from, &Type::Int), self.typed(to, &Type::Int));
                    (from?, Some(to?), Type::Int)
                }
                None => (self.typed(&binder.from, &Type::vector())?, None, Type::vector()),
            };
            let slot = self.bind(&binder.name, ty);
            if to.is_none() {
                self.note_length(slot, self.length(&from));
            }
            let bound = Bound { slot, from, to };
            self.note_extent(&bound);
            bounds.push(bound);
        }
        Some(bounds)
    }

    /// The intermediate of a name, if it is in scope.
    pub(super) fn definition(&self, name: &str) -> Option<usize> {
        let mut definitions = self.meaning.definitions.iter().take(self.visible);
        definitions.position(|definition| definition.name == name)
    }

    /// A variable that is bound already comes into scope again.
    pub(super) fn name_again(&mut self, name: &str, slot: usize, ty: Type) {
        self.variables.push(Variable {
            name: name.to_owned(),
            slot,
            ty,
        });
    }

    /// A new variable.
    pub(super) fn bind(&mut self, name: &str, ty: Type) -> usize {
        let slot = self.meaning.slots;
        self.meaning.slots += 1;
        self.variables.push(Variable {
            name: name.to_owned(),
            slot,
            ty,
        });
        slot
    }

    fn require_outputs(&mut self) {
        if !self.mistakes.is_empty() {
            return;
        }
        let is_output = |kind: &FieldKind| kind.role() == Some(Role::Output);
        let fields = self.operator.fields.iter().enumerate();
        let missing =
            fields.filter(|(i, f)| is_output(&f.kind) && !self.meaning.outputs.iter().any(|output| output.field == *i));
        let missing: Vec<String> = missing.map(|(_, f)| f.name.to_string()).collect();
        self.place = Place::Head(usize::MAX);
        for name in missing {
            let message = format!("the output `{name}` has no meaning");
            self.refuse::<()>("spec::meaning-head", &(0..0), message, None);
        }
    }

    /// The number of a clause, by its id without the operator.
    /// The number of a clause that leaves something open: a silence, or a guarantee that releases read in another way.
    pub(super) fn silence(&mut self, id: &str, place: &Range<usize>) -> Checked<u16> {
        let named = self.clause_of(id);
        let is_read_otherwise = named.is_some_and(|clause| !clause.tells.is_empty());
        let word = match named.map(|clause| clause.kind) {
            None | Some(ClauseKind::Silence) => return self.clause(id, place),
            Some(ClauseKind::Guarantee) if is_read_otherwise => return self.clause(id, place),
            Some(ClauseKind::Constraint) => "constraint",
            Some(ClauseKind::Guarantee) => "guarantee",
        };
        let silences = self
            .operator
            .clauses
            .iter()
            .filter(|clause| clause.kind == ClauseKind::Silence);
        let ids: Vec<&str> = silences
            .map(|clause| clause.id.rsplit('/').next().unwrap_or(""))
            .collect();
        let hint = (!ids.is_empty()).then(|| format!("silences of this operator: {}", ids.join(", ")));
        let message = format!("`{id}` is a {word}, which leaves nothing open");
        self.refuse("spec::clause-kind", place, message, hint)
    }

    fn clause_of(&self, id: &str) -> Option<&Clause> {
        let mut clauses = self.operator.clauses.iter();
        clauses.find(|clause| clause.id.ends_with(&format!("/{id}")) || clause.id == id)
    }

    pub(super) fn clause(&mut self, id: &str, place: &Range<usize>) -> Checked<u16> {
        let known = self.clause_of(id).is_some();
        // Operators of tests have neither tables nor clauses.
        let is_bare = self.operator.clauses.is_empty() && self.operator.support.is_empty();
        if !known && !is_bare {
            let ids = self
                .operator
                .clauses
                .iter()
                .map(|c| c.id.rsplit('/').next().unwrap_or("").to_owned());
            let hint = crate::rule::names::nearest(id, ids);
            return self.refuse("spec::unknown-clause", place, format!("unknown clause `{id}`"), hint);
        }
        let clauses = &mut self.meaning.clauses;
        let at = clauses.iter().position(|clause| clause == id).unwrap_or_else(|| {
            clauses.push(Cow::Owned(id.to_owned()));
            clauses.len() - 1
        });
        u16::try_from(at).ok()
    }

    pub(super) fn ill_typed<T>(&mut self, span: &Range<usize>, message: String) -> Checked<T> {
        self.refuse("spec::ill-typed-meaning", span, message, None)
    }

    pub(super) fn refuse<T>(
        &mut self,
        code: &'static str,
        span: &Range<usize>,
        message: String,
        hint: Option<String>,
    ) -> Checked<T> {
        self.report(RuleError {
            hint,
            ..RuleError::new(code, span.clone(), message)
        })
    }

    pub(super) fn report<T>(&mut self, error: RuleError) -> Checked<T> {
        self.mistakes.push(Mistake {
            place: self.place,
            error,
        });
        None
    }

    pub(super) fn node(ty: Type, span: &Range<usize>, op: Op) -> Node {
        Node {
            ty,
            span: span.clone(),
            op,
        }
    }
}

fn nearest_output(operator: &Operator, name: &str) -> Option<String> {
    let outputs = operator.fields.iter().filter(|f| f.kind.role() == Some(Role::Output));
    crate::rule::names::nearest(name, outputs.map(|f| f.name.to_string()))
}
