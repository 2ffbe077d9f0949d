//! The built-in functions, evaluated.

use smallvec::SmallVec;

use super::{
    arith::{align_up, div_ceil, is_power_of_two},
    interp::Run,
    typed::{Func, Node, Op, Type},
    value::{List, Subject},
};
use crate::{
    desc::{Descriptor, Value, element_bits},
    layout,
    model::{DataType, NumberClass},
};

impl<'a> Run<'_, 'a> {
    fn data_type(&mut self, node: &Node) -> Option<Option<&'a DataType>> {
        let value = self.int(node)?;
        Some(
            u32::try_from(value)
                .ok()
                .and_then(|value| self.env.catalog.data_type(value)),
        )
    }

    pub(super) fn call_bool(&mut self, func: Func, arguments: &[Node]) -> Option<bool> {
        let first = arguments.first()?;
        match func {
            Func::Present => self.present(first),
            Func::HasSizes => Some(self.tensor(first)?.tensor?.sizes.is_some()),
            Func::HasStrides => Some(self.tensor(first)?.tensor?.strides.is_some()),
            Func::IsPowerOfTwo => Some(is_power_of_two(self.int(first)?)),
            Func::Contains => {
                let list = self.list(first)?;
                let sought = self.int(arguments.get(1)?)?;
                Some(list.iter().any(|v| v == sought))
            }
            Func::Distinct => Some(distinct(&self.list(first)?)),
            Func::IsKnown => self.is_known(first),
            Func::IsFloat => Some(self.data_type(first)?.is_some_and(|t| t.class == NumberClass::Float)),
            Func::IsSigned => Some(self.data_type(first)?.is_some_and(|t| t.class == NumberClass::Signed)),
            Func::IsUnsigned => Some(self.data_type(first)?.is_some_and(|t| t.class == NumberClass::Unsigned)),
            Func::Overlaps => {
                let tensor = self.tensor(first)?.tensor?;
                let sizes = tensor.sizes.as_deref()?;
                Some(
                    tensor
                        .strides
                        .as_deref()
                        .is_some_and(|strides| layout::overlaps(sizes, strides)),
                )
            }
            Func::Unbound => self.unbound(first),
            Func::HasInfinity | Func::HasNan | Func::HasNegativeZero | Func::HasDenormal => self.has(func, first),
            Func::Fits => {
                let data_type = self.data_type(arguments.get(1)?)??;
                let Subject { field, element, tensor } = self.tensor(first)?;
                tensor?;
                Some(self.env.data?.fits(field, element, data_type))
            }
            _ => None,
        }
    }

    fn has(&mut self, func: Func, tensor: &Node) -> Option<bool> {
        let Subject { field, element, tensor } = self.tensor(tensor)?;
        tensor?;
        let data = self.env.data?;
        match func {
            Func::HasNan => Some(data.has_nan(field, element)),
            Func::HasInfinity => Some(data.has_infinity(field, element)),
            Func::HasNegativeZero => Some(data.has_negative_zero(field, element)),
            Func::HasDenormal => Some(data.has_denormal(field, element)),
            _ => None,
        }
    }

    fn nested_operators(&self, node: &Node) -> Option<&'a [Descriptor]> {
        match self.nested(node)? {
            Value::Operators(nested) => nested.as_deref(),
            _ => None,
        }
    }

    fn unbound(&mut self, node: &Node) -> Option<bool> {
        Some(match self.nested(node)? {
            Value::Operator(nested) => nested.as_ref()?.is_unbound(),
            Value::Operators(nested) => nested.as_ref()?.iter().all(Descriptor::is_unbound),
            _ => return None,
        })
    }

    fn nested(&self, node: &Node) -> Option<&'a Value> {
        match node.op {
            Op::Field(field) => self.value(field),
            _ => None,
        }
    }

    /// Value of `DML_OPERATOR_TYPE`.
    pub(super) fn nested_type(&mut self, node: &Node) -> Option<i128> {
        match self.nested(node)? {
            Value::Operator(nested) => {
                let operator = self.env.catalog.operator(&nested.as_ref()?.operator)?;
                Some(operator.type_value.into())
            }
            _ => None,
        }
    }

    fn present(&mut self, node: &Node) -> Option<bool> {
        let Op::Field(field) = &node.op else {
            return Some(self.tensor(node)?.tensor.is_some());
        };
        self.value(*field).map(Value::is_present)
    }

    fn is_known(&mut self, node: &Node) -> Option<bool> {
        let Type::Enum(name) = &node.ty else {
            return Some(self.data_type(node)?.is_some());
        };
        let value = self.int(node)?;
        let of = self.env.catalog.enumeration(name)?;
        if of.flags {
            let all = of.members.iter().fold(0, |all, member| all | i128::from(member.value));
            return Some(value >= 0 && value & !all == 0);
        }
        Some(of.members.iter().any(|member| i128::from(member.value) == value))
    }

    pub(super) fn call_int(&mut self, func: Func, arguments: &[Node]) -> Option<i128> {
        let first = arguments.first()?;
        if let Some(second) = arguments.get(1) {
            let (a, b) = (self.int(first)?, self.int(second)?);
            return match func {
                Func::Min => Some(a.min(b)),
                Func::Max => Some(a.max(b)),
                Func::DivCeil => div_ceil(a, b),
                Func::AlignUp => align_up(a, b),
                _ => None,
            };
        }
        match func {
            Func::Count => i128::try_from(match first.ty {
                Type::Tensors => self.tensors(first)?.1.len(),
                Type::FloatList => self.floats(first)?.len(),
                Type::Operators => self.nested_operators(first)?.len(),
                _ => self.list(first)?.len(),
            })
            .ok(),
            Func::Product => self.list(first)?.iter().try_fold(1_i128, i128::checked_mul),
            Func::Sum => self.list(first)?.iter().try_fold(0_i128, i128::checked_add),
            Func::Bits => Some(self.data_type(first)??.bits.into()),
            Func::Number => self.int(first),
            Func::Abs => self.int(first)?.checked_abs(),
            Func::MinValue => self.data_type(first)??.whole_numbers().map(|(least, _)| least),
            Func::MaxValue => self.data_type(first)??.whole_numbers().map(|(_, greatest)| greatest),
            Func::Least | Func::Greatest => {
                let Subject { field, element, tensor } = self.tensor(first)?;
                tensor?;
                let (least, greatest) = self.env.data?.range(field, element)?;
                Some(if func == Func::Least { least } else { greatest })
            }
            Func::MinimumTotalSize => {
                let tensor = self.tensor(first)?.tensor?;
                let bits = element_bits(self.env.catalog, tensor.data_type)?;
                tensor.minimum_total_size(bits).map(i128::from)
            }
            _ => None,
        }
    }
}

fn distinct(list: &List<'_>) -> bool {
    let mut sorted: SmallVec<[i128; 8]> = list.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair.first() != pair.last())
}
