//! Checks what clauses leave open.

use super::{Checker, Place, variants::short};
use crate::meaning::{typed::Opening, types::Type};
use crate::{
    model::{Clause, Status},
    rule::{RuleError, parse},
};

impl Checker<'_> {
    /// What clauses leave open: conditions on elements.
    pub(super) fn openings(&mut self) {
        let operator = self.operator;
        for (clause, of) in operator.clauses.iter().enumerate() {
            for (entry, (tensor, condition)) in of.opens.iter().enumerate() {
                self.place = Place::Opens {
                    clause,
                    entry,
                    in_tensor: true,
                };
                self.variables.clear();
                self.output = None;
                if let Err(error) = self.opening(of, (clause, entry), tensor, condition) {
                    self.report::<()>(error);
                }
            }
        }
    }

    fn opening(
        &mut self,
        of: &Clause,
        (clause, entry): (usize, usize),
        tensor: &str,
        condition: &str,
    ) -> Result<(), RuleError> {
        let whole = 0..tensor.len();
        let field = self.operator.fields.iter().position(|f| f.name == tensor);
        let role = field.and_then(|field| self.operator.fields.get(field)?.kind.role());
        let (Some(field), Some(role)) = (field, role) else {
            let tensors = self.operator.fields.iter().filter(|f| f.kind.role().is_some());
            let hint = crate::rule::names::nearest(tensor, tensors.map(|f| f.name.to_string()));
            let message = format!("`{tensor}` is no tensor of this operator");
            return Err(RuleError {
                hint,
                ..RuleError::new("spec::unknown-tensor", whole, message)
            });
        };
        let slot = self.subject(field, role);
        self.place = Place::Opens {
            clause,
            entry,
            in_tensor: false,
        };
        let condition = parse(condition)?;
        let opening = self.typed(&condition, &Type::Bool).zip(self.clause(short(of), &(0..0)));
        if let Some((condition, clause)) = opening {
            self.require_values(&condition, false);
            let text_only = of.status == Status::Observed;
            self.meaning.openings.push(Opening {
                clause,
                field,
                slot,
                condition,
                text_only,
            });
        }
        Ok(())
    }
}
