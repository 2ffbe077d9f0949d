//! Checks the variants and invariants of clauses.

use super::{Checked, Checker, Place};
use crate::meaning::{
    typed::{Instead, Invariant, Node, Variant},
    types::Type,
};
use crate::{
    model::{self, Clause, Role},
    rule::{RuleError, ast::Binder, parse, parse_head},
};

/// The entry that says of which descriptors a variant speaks.
const CONDITION: &str = "if";

/// What outputs are that fit no other variant.
const ANYTHING: &str = "anything";

/// The entry that says what becomes of denormals, and its values.
const DENORMALS: (&str, [&str; 2]) = ("denormals", ["kept", "zero"]);

impl Checker<'_> {
    /// Ways to read clauses, and what holds whatever they leave open.
    pub(super) fn variants(&mut self) {
        let operator = self.operator;
        for (clause, of) in operator.clauses.iter().enumerate() {
            for (variant, texts) in of.tells.iter().enumerate() {
                self.variant((clause, of), variant, texts);
            }
            for (invariant, texts) in of.holds.iter().enumerate() {
                for (entry, (tensor, condition)) in texts.conditions.iter().enumerate() {
                    let place = |in_key| Place::Holds {
                        clause,
                        invariant,
                        entry,
                        in_key,
                    };
                    self.enter(place(true));
                    match self.condition((tensor, condition), place(false)) {
                        Ok(found) => self.invariant(of, &texts.name, found),
                        Err(error) => self.note(Err(error)),
                    }
                }
            }
        }
    }

    fn variant(&mut self, (clause, of): (usize, &Clause), variant: usize, texts: &model::Variant) {
        let (mut instead, mut condition) = (Vec::new(), None);
        let conditional = texts.instead.iter().any(|(name, _)| name == CONDITION);
        for (entry, (name, text)) in texts.instead.iter().enumerate() {
            let place = |in_key| Place::Tells {
                clause,
                variant,
                entry,
                in_key,
            };
            self.enter(place(true));
            if name == model::Variant::OTHERWISE {
                if texts.instead.len() > 1 || variant + 1 < of.tells.len() {
                    let message = "`otherwise` stands alone, in the last variant".to_owned();
                    self.refuse::<()>("spec::meaning-head", &(0..name.len()), message, None);
                }
                if text.as_ref() != ANYTHING {
                    self.place = place(false);
                    let message = format!("found `{text}`, expected `{ANYTHING}`");
                    self.refuse::<()>("spec::ill-typed-meaning", &(0..text.len()), message, None);
                }
                continue;
            }
            if name == CONDITION {
                self.place = place(false);
                match parse(text) {
                    Ok(text) => {
                        condition = self.typed(&text, &Type::Bool);
                        if let Some(condition) = &condition {
                            self.require_values(condition, false);
                        }
                    }
                    Err(error) => self.note(Err(error)),
                }
                continue;
            }
            match self.instead(name, text, place(false)) {
                Ok(Some(found)) => {
                    self.require_instead(&found, conditional);
                    instead.push(found);
                }
                Ok(None) => {}
                Err(error) => self.note(Err(error)),
            }
        }
        if !texts.is_rest()
            && let Some(clause) = self.clause(short(of), &(0..0))
        {
            self.meaning.variants.push(Variant {
                clause,
                name: texts.name.clone(),
                condition,
                instead,
            });
        }
    }

    /// What stands instead of an entry of the meaning, or of the elements of a tensor.
    fn instead(&mut self, name: &str, text: &str, body: Place) -> Result<Option<Instead>, RuleError> {
        let whole = 0..name.len();
        if name == DENORMALS.0 {
            self.place = body;
            let [kept, zero] = DENORMALS.1;
            if text != kept && text != zero {
                let message = format!("found `{text}`, expected `{kept}` or `{zero}`");
                return Err(RuleError::new("spec::ill-typed-meaning", 0..text.len(), message));
            }
            return Ok(Some(Instead::Denormals { kept: text == kept }));
        }
        let field = self.operator.fields.iter().position(|f| f.name == name);
        let role = field.and_then(|field| self.operator.fields.get(field)?.kind.role());
        if let Some((field, role)) = field.zip(role) {
            let slot = self.subject(field, role);
            self.place = body;
            let text = parse(text)?;
            let Some(value) = self.value(&text, field) else {
                return Ok(None);
            };
            // Elements of inputs are read as what they are; those of outputs end in a cast.
            if role == Role::Input && self.element_type(field) == Type::Int && !self.fits(&value.ty, &Type::Int) {
                self.differs::<()>(&value, &Type::Int, &text.span);
                return Ok(None);
            }
            return Ok(Some(Instead::Open { field, slot, value }));
        }
        let head = parse_head(name)?;
        let entries = self.operator.meaning.iter();
        let found = entries
            .filter_map(|(text, _)| parse_head(text).ok())
            .find(|of| of.name == head.name);
        let Some(found) = found else {
            let names = self
                .operator
                .meaning
                .iter()
                .filter_map(|(text, _)| parse_head(text).ok());
            let fields = self.operator.fields.iter().filter(|f| f.kind.role().is_some());
            let known = names.map(|of| of.name).chain(fields.map(|f| f.name.to_string()));
            let hint = crate::rule::names::nearest(&head.name, known.collect::<Vec<_>>());
            let message = format!("`{}` is no entry of the meaning and no tensor", head.name);
            return Err(RuleError {
                hint,
                ..RuleError::new("spec::unknown-name", whole, message)
            });
        };
        let output = self.operator.fields.iter().position(|f| f.name == found.name);
        if output.is_none() && head.name != name {
            let message = format!("an intermediate keeps its domain: write `{}` alone", head.name);
            return Err(RuleError::new("spec::meaning-head", whole, message));
        }
        self.place = body;
        let text = parse(text)?;
        match output {
            Some(field) => Ok(self.instead_of_output(field, &head.indices, &text)),
            None => Ok(self.instead_of_definition(&found.name, &found.domain, &text)),
        }
    }

    fn instead_of_output(
        &mut self,
        field: usize,
        indices: &[(String, std::ops::Range<usize>)],
        text: &crate::rule::ast::Expr,
    ) -> Checked<Instead> {
        let at = self.meaning.outputs.iter().position(|output| output.field == field)?;
        let output = self.meaning.outputs.get(at)?;
        let slots: Vec<(usize, Type)> = output
            .element
            .map(|slot| (slot, Type::Int))
            .into_iter()
            .chain([(output.index, Type::vector())])
            .collect();
        if indices.len() != slots.len() {
            let message = format!("found {} indices, expected {}", indices.len(), slots.len());
            return self.refuse("spec::meaning-head", &(0..0), message, None);
        }
        self.output = Some((field, output.index));
        for ((name, _), (slot, ty)) in indices.iter().zip(slots) {
            self.name_again(name, slot, ty);
        }
        self.value(text, field).map(|value| Instead::Output(at, value))
    }

    fn instead_of_definition(
        &mut self,
        name: &str,
        domain: &[Binder],
        text: &crate::rule::ast::Expr,
    ) -> Checked<Instead> {
        let at = self.meaning.definitions.iter().position(|d| d.name == name)?;
        let definition = self.meaning.definitions.get(at)?;
        let (ty, length) = (definition.body.ty.clone(), self.length(&definition.body));
        let slots: Vec<usize> = definition.domain.iter().map(|bound| bound.slot).collect();
        for (binder, slot) in domain.iter().zip(slots) {
            let of = if binder.to.is_some() { Type::Int } else { Type::vector() };
            self.name_again(&binder.name, slot, of);
        }
        // An intermediate uses those above it.
        self.visible = at;
        let value = self.kept(text);
        self.visible = usize::MAX;
        let value = value?;
        // What uses the intermediate has been checked with the meaning's type.
        let fits = match value.ty {
            Type::Open => ty.is_number() || ty == Type::Open,
            _ => self.fits(&value.ty, &ty),
        };
        if !fits {
            return self.differs(&value, &ty, &text.span);
        }
        if let (Some(found), Some(expected)) = (self.length(&value), length)
            && found != expected
        {
            let message = format!("found a list of {found}, expected one of {expected} as in the meaning");
            return self.ill_typed(&text.span, message);
        }
        Some(Instead::Definition(at, value))
    }

    fn differs<T>(&mut self, found: &Node, expected: &Type, span: &std::ops::Range<usize>) -> Checked<T> {
        let (found, expected) = (found.ty.describe(), expected.describe());
        self.ill_typed(span, format!("found {found}, expected {expected} as in the meaning"))
    }

    fn invariant(&mut self, of: &Clause, name: &model::Text, condition: Option<Invariant>) {
        if let Some((condition, clause)) = condition.zip(self.clause(short(of), &(0..0))) {
            self.require_values(&condition.condition, false);
            self.meaning.invariants.push(Invariant {
                clause,
                name: name.clone(),
                ..condition
            });
        }
    }

    /// A condition on the elements of an output: `x` at the index `o`.
    pub(super) fn condition(
        &mut self,
        (tensor, condition): (&str, &str),
        body: Place,
    ) -> Result<Option<Invariant>, RuleError> {
        let field = self.operator.fields.iter().position(|f| f.name == tensor);
        let is_output = |field: &usize| {
            let kind = self.operator.fields.get(*field).map(|f| &f.kind);
            kind.is_some_and(|kind| kind.role() == Some(Role::Output))
        };
        let Some(field) = field.filter(is_output) else {
            let outputs = self.operator.fields.iter();
            let outputs = outputs.filter(|f| f.kind.role() == Some(Role::Output));
            let hint = crate::rule::names::nearest(tensor, outputs.map(|f| f.name.to_string()));
            let message = format!("`{tensor}` is no output of this operator");
            return Err(RuleError {
                hint,
                ..RuleError::new("spec::unknown-tensor", 0..tensor.len(), message)
            });
        };
        let element = self.bind("x", self.element_type(field));
        let index = self.subject(field, Role::Output);
        self.reads_outputs = true;
        self.place = body;
        let condition = parse(condition).map(|condition| self.typed(&condition, &Type::Bool));
        self.reads_outputs = false;
        Ok(condition?.map(|condition| Invariant {
            clause: u16::MAX,
            name: model::Text::default(),
            field,
            element,
            index,
            condition,
        }))
    }

    /// Binds the element `x` of an input, or the index `o` of an output.
    pub(super) fn subject(&mut self, field: usize, role: Role) -> usize {
        match role {
            Role::Input => self.bind("x", self.element_type(field)),
            Role::Output => {
                let slot = self.bind("o", Type::vector());
                self.note_rank(slot, field);
                self.note_index(slot, field);
                self.output = Some((field, slot));
                slot
            }
        }
    }

    pub(super) fn enter(&mut self, place: Place) {
        self.place = place;
        self.variables.clear();
        self.output = None;
    }

    pub(super) fn note(&mut self, read: Result<(), RuleError>) {
        if let Err(error) = read {
            self.report::<()>(error);
        }
    }
}

/// The id of a clause without its operator.
pub(super) fn short(clause: &Clause) -> &str {
    clause.id.rsplit('/').next().unwrap_or("")
}
