//! From clauses to checks: parses and types every rule and orders the checks by what they need.

use std::{collections::BTreeSet, iter::once};

use super::{Check, Program};
use crate::{
    model::{Applies, Catalog, Clause, ClauseKind, Field, Operator, Role, Status, Text},
    rule::{
        RuleError, Scope, check,
        names::nearest,
        parse,
        typed::{Func, Node, Op, Type, mentioned},
    },
};

impl Program {
    /// Compiles the rules of an operator's clauses.
    ///
    /// # Errors
    /// Every mistake, with the id of its clause. Places are in the clause's rule, or in that of the observation
    /// that [`RuleError::observation`] names.
    pub fn compile(catalog: &Catalog, operator: &Operator) -> Result<Self, Vec<(Text, RuleError)>> {
        let mut compiler = Compiler {
            catalog,
            operator,
            checks: Vec::new(),
            silences: Vec::new(),
            guarantees: Vec::new(),
            groups: Vec::new(),
            errors: Vec::new(),
        };
        let tensor_clauses = compiler.tensor_checks();
        compiler.operator_checks(&tensor_clauses);
        compiler.silences = compiler.conditions(ClauseKind::Silence);
        compiler.guarantees = compiler.conditions(ClauseKind::Guarantee);
        compiler.groups();
        let Compiler {
            checks,
            silences,
            guarantees,
            groups,
            errors,
            ..
        } = compiler;
        if errors.is_empty() {
            Ok(Self {
                ranges: silences.iter().any(asks_for_range),
                meaning: crate::meaning::compile(catalog, operator).ok().flatten(),
                checks,
                silences,
                guarantees,
                groups,
            })
        } else {
            Err(errors)
        }
    }

    /// Compiles an expression of an operator's fields that stands outside its clauses, such as a derived value of
    /// its cases. Its value is that of [`crate::rule::eval`].
    ///
    /// # Errors
    /// The first mistake.
    pub fn expression(catalog: &Catalog, operator: &Operator, text: &str) -> Result<Node, RuleError> {
        expression(&Scope::operator(catalog, operator), text, None)
    }

    /// Like [`Program::expression`], of a known type: short names of constants may stand alone.
    ///
    /// # Errors
    /// The first mistake.
    pub fn expression_of(catalog: &Catalog, operator: &Operator, text: &str, ty: &Type) -> Result<Node, RuleError> {
        expression(&Scope::operator(catalog, operator), text, Some(ty))
    }
}

impl Check {
    /// The check of a clause on a tensor field, or on the operator.
    fn new(
        clause: &Clause,
        subject: Option<usize>,
        (text, runtime): (Option<Node>, Option<Node>),
        needs: Vec<usize>,
    ) -> Self {
        let rules = || text.iter().chain(&runtime);
        let mut asks_presence = false;
        for rule in rules() {
            rule.walk(&mut |node| {
                if let Op::Call(Func::Present, arguments) = &node.op {
                    asks_presence |= arguments.iter().any(|argument| argument.op == Op::Subject);
                }
            });
        }
        Self {
            clause: clause.id.clone(),
            subject,
            needs,
            structural: clause.structural && subject.is_some(),
            asks_presence,
            reads: mentioned(rules()).into_iter().chain(subject).collect(),
            number: None,
            text,
            runtime,
        }
    }
}

fn asks_for_range(silence: &Check) -> bool {
    let mut asks = false;
    for rule in silence.text.iter().chain(&silence.runtime) {
        rule.walk(&mut |node| {
            asks |= matches!(node.op, Op::Call(Func::Least | Func::Greatest | Func::Fits, _));
        });
    }
    asks
}

/// Parses and types an expression.
pub(crate) fn expression(scope: &Scope<'_>, text: &str, expected: Option<&Type>) -> Result<Node, RuleError> {
    let no_reason = || RuleError::new("spec::rule-syntax", 0..0, "the expression cannot be understood");
    check(&parse(text)?, scope, expected).map_err(|errors| errors.into_iter().next().unwrap_or_else(no_reason))
}

struct Compiler<'a> {
    catalog: &'a Catalog,
    operator: &'a Operator,
    checks: Vec<Check>,
    silences: Vec<Check>,
    guarantees: Vec<Check>,
    groups: Vec<(Text, Node)>,
    errors: Vec<(Text, RuleError)>,
}

/// What a clause demands by the text, and by the runtimes if that differs.
struct Rules {
    text: Option<Node>,
    runtime: Option<Node>,
}

impl<'a> Compiler<'a> {
    /// Conditions of the groups of the support tables.
    fn groups(&mut self) {
        let scope = Scope::operator(self.catalog, self.operator);
        for group in self.operator.groups.iter() {
            match expression(&scope, &group.when, Some(&Type::Bool)) {
                Ok(node) => self.groups.push((group.name.clone(), node)),
                Err(error) => self
                    .errors
                    .push((Text::Owned(format!("support/{}", group.name)), error)),
            }
        }
    }

    /// Adds the checks of every tensor field; returns their clauses.
    fn tensor_checks(&mut self) -> Vec<&'a Clause> {
        let catalog = self.catalog;
        let active = catalog
            .tensor_clauses
            .iter()
            .filter(|c| is_constraint(c) && c.applies != Applies::Operator);
        let clauses = self.ordered(active.collect(), &[]);
        let scope = Scope::tensor(catalog);
        let rules: Vec<_> = clauses.iter().map(|clause| self.rules(clause, &scope)).collect();
        for (index, field) in self.operator.fields.iter().enumerate() {
            let first = self.checks.len();
            for ((clause, rules), number) in clauses.iter().zip(&rules).zip(0..) {
                let Some(rules) = rules.as_ref().filter(|_| applies(clause, field)) else {
                    continue;
                };
                // A needed clause that does not apply to this field is not waited for.
                let group = self.checks.iter().enumerate().skip(first);
                let needs = group
                    .filter(|(_, c)| clause.needs.contains(&c.clause))
                    .map(|(i, _)| i)
                    .collect();
                let rules = (rules.text.clone(), rules.runtime.clone());
                let check = Check::new(clause, Some(index), rules, needs);
                let number = Some(number).filter(|number| *number < u64::BITS);
                self.checks.push(Check { number, ..check });
            }
        }
        clauses
    }

    fn operator_checks(&mut self, tensor_clauses: &[&Clause]) {
        let operator = self.operator;
        let active = operator.clauses.iter().filter(|c| is_constraint(c));
        let scope = Scope::operator(self.catalog, operator);
        for clause in self.ordered(active.collect(), tensor_clauses) {
            let Some(Rules { text, runtime }) = self.rules(clause, &scope) else {
                continue;
            };
            let mentioned = mentioned(text.iter().chain(&runtime));
            let is_needed = |check: &Check| match check.subject {
                Some(subject) => {
                    mentioned.contains(&subject) && (check.structural || clause.needs.contains(&check.clause))
                }
                None => clause.needs.contains(&check.clause),
            };
            let needs = self.indices(is_needed);
            self.checks.push(Check::new(clause, None, (text, runtime), needs));
        }
    }

    /// Indices of the checks made so far that `is_wanted` accepts.
    fn indices(&self, is_wanted: impl Fn(&Check) -> bool) -> Vec<usize> {
        let all = self.checks.iter().enumerate();
        all.filter(|(_, check)| is_wanted(check)).map(|(i, _)| i).collect()
    }

    /// When clauses of a kind that is no constraint speak of a descriptor and its data: one check for each rule, and for
    /// each tensor field of a `TENSOR/` clause.
    fn conditions(&mut self, kind: ClauseKind) -> Vec<Check> {
        let of_kind = |c: &&Clause| c.kind == kind && c.retired.is_none();
        let mut found = Vec::new();
        let tensor_scope = Scope::tensor(self.catalog).with_data();
        for clause in self.catalog.tensor_clauses.iter().filter(of_kind) {
            let Some(rule) = &clause.rule else { continue };
            let Some(node) = self.rule(clause, rule, None, &tensor_scope) else {
                continue;
            };
            for (index, field) in self.operator.fields.iter().enumerate() {
                if applies(clause, field) {
                    found.push(self.condition(clause, Some(index), node.clone()));
                }
            }
        }
        let scope = Scope::operator(self.catalog, self.operator).with_data();
        for clause in self.operator.clauses.iter().filter(of_kind) {
            let Some(rule) = &clause.rule else { continue };
            if let Some(node) = self.rule(clause, rule, None, &scope) {
                found.push(self.condition(clause, None, node));
            }
        }
        found
    }

    fn condition(&self, clause: &Clause, subject: Option<usize>, node: Node) -> Check {
        let tensors = match subject {
            Some(subject) => BTreeSet::from([subject]),
            None => mentioned(once(&node)),
        };
        let is_needed = |check: &Check| check.structural && check.subject.is_some_and(|s| tensors.contains(&s));
        Check::new(clause, subject, (Some(node), None), self.indices(is_needed))
    }

    /// The clauses in their own order, but each after what it needs; `before` are already done.
    fn ordered<'c>(&mut self, mut pending: Vec<&'c Clause>, before: &[&Clause]) -> Vec<&'c Clause> {
        let known: BTreeSet<&str> = pending
            .iter()
            .copied()
            .chain(before.iter().copied())
            .map(|c| &*c.id)
            .collect();
        let mut placed: BTreeSet<&str> = before.iter().map(|c| &*c.id).collect();
        for clause in &pending {
            for need in clause.needs.iter().filter(|need| !known.contains(&***need)) {
                let hint = nearest(need, &known);
                let message = format!("`{need}` in `needs` is no constraint that {} could wait for", clause.id);
                let error = RuleError {
                    hint,
                    ..RuleError::new("spec::unknown-clause", 0..0, message)
                };
                self.errors.push((clause.id.clone(), error));
            }
        }
        let mut ordered = Vec::with_capacity(pending.len());
        loop {
            let count = ordered.len();
            pending.retain(|clause| {
                let ready = clause
                    .needs
                    .iter()
                    .all(|need| placed.contains(&**need) || !known.contains(&**need));
                if ready {
                    placed.insert(&clause.id);
                    ordered.push(*clause);
                }
                !ready
            });
            if ordered.len() == count {
                break;
            }
        }
        if let Some(clause) = pending.first() {
            let message = format!("the needs of {} lead back to themselves", clause.id);
            self.refuse::<()>(clause, "spec::needs-cycle", &message);
        }
        ordered
    }

    fn rules(&mut self, clause: &Clause, scope: &Scope<'_>) -> Option<Rules> {
        let runtime = match clause.status {
            Status::Disputed | Status::Observed => match self.observed_rule(clause)? {
                Some((index, rule)) => Some(self.rule(clause, rule, Some(index), scope)?),
                None => None,
            },
            // Rules of single releases count for no one else.
            _ => {
                for (index, seen) in clause.observed.iter().enumerate() {
                    if let Some(rule) = &seen.rule {
                        self.rule(clause, rule, Some(index), scope)?;
                    }
                }
                None
            }
        };
        let own = match &clause.rule {
            Some(rule) => Some(self.rule(clause, rule, None, scope)?),
            None => None,
        };
        let disputed = "a disputed constraint needs the rule that was observed";
        match (clause.status, own, runtime) {
            (Status::Observed, Some(runtime), None) | (Status::Observed, _, Some(runtime)) => Some(Rules {
                text: None,
                runtime: Some(runtime),
            }),
            (Status::Disputed, Some(_), None) => self.refuse(clause, "spec::missing-rule", disputed),
            (_, None, _) => self.refuse(clause, "spec::missing-rule", "a constraint needs a rule"),
            (_, text, runtime) => Some(Rules { text, runtime }),
        }
    }

    /// The rule that the runtimes follow, if it is not the clause's own, with the index of its observation.
    fn observed_rule<'c>(&mut self, clause: &'c Clause) -> Option<Option<(usize, &'c str)>> {
        let own = clause.rule.as_deref();
        let mut rules = clause.observed.iter().map(|o| o.rule.as_deref().or(own)).enumerate();
        let Some((index, Some(rule))) = rules.next() else {
            return Some(None);
        };
        if let Some((other, _)) = rules.find(|(_, r)| *r != Some(rule)) {
            let message = "observations of one clause give different rules; the runtimes must agree on one";
            let error = RuleError {
                observation: Some(other),
                ..RuleError::new("spec::rules-differ", 0..0, message)
            };
            self.errors.push((clause.id.clone(), error));
            return None;
        }
        Some((Some(rule) != own).then_some((index, rule)))
    }

    fn rule(&mut self, clause: &Clause, text: &str, observation: Option<usize>, scope: &Scope<'_>) -> Option<Node> {
        let checked = parse(text)
            .map_err(|error| vec![error])
            .and_then(|e| check(&e, scope, Some(&Type::Bool)));
        match checked {
            Ok(node) => Some(node),
            Err(errors) => {
                let errors = errors
                    .into_iter()
                    .map(|error| (clause.id.clone(), RuleError { observation, ..error }));
                self.errors.extend(errors);
                None
            }
        }
    }

    fn refuse<T>(&mut self, clause: &Clause, code: &'static str, message: &str) -> Option<T> {
        self.errors
            .push((clause.id.clone(), RuleError::new(code, 0..0, message)));
        None
    }
}

/// Whether validators check this clause.
fn is_constraint(clause: &Clause) -> bool {
    clause.kind == ClauseKind::Constraint && clause.retired.is_none() && clause.status != Status::Open
}

fn applies(clause: &Clause, field: &Field) -> bool {
    let Some(role) = field.kind.role() else { return false };
    match clause.applies {
        Applies::Operator => false,
        Applies::Required => !field.optional,
        Applies::Any => true,
        Applies::Input => role == Role::Input,
        Applies::Output => role == Role::Output,
    }
}
