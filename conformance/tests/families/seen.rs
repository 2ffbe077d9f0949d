//! What a kernel sees of a case.

use std::cell::OnceCell;

use dml_case::{
    case::{Case, Verdict},
    number::Number,
    tensor::Shape,
};
use dml_legacy::oracle::Call;
use dml_plan::planner::Planner;
use dml_spec::{
    Descriptor, TensorDesc, Value, layout,
    model::{Operator, Role},
};

/// A case, as far as a kernel or a validator sees it.
pub(crate) struct Seen<'a> {
    suite: &'a Planner,
    operator: &'a Operator,
    pub(crate) case: &'a Case,
    /// Elements of the inputs, once somebody looks.
    numbers: OnceCell<Vec<Vec<Number>>>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(suite: &'a Planner, operator: &'a Operator, case: &'a Case) -> Self {
        Self {
            suite,
            operator,
            case,
            numbers: OnceCell::new(),
        }
    }

    fn value(&self, field: &str) -> &'a Value {
        &self.case.descriptor.fields[self.operator.field_index(field).expect("a field")]
    }

    /// Whether the descriptor breaks this clause.
    pub(crate) fn breaks(&self, clause: &str) -> bool {
        match &self.case.verdict {
            Verdict::Rejected(violations) => violations.iter().any(|violation| violation.clause == clause),
            _ => false,
        }
    }

    /// Whether this silence leaves the outputs open.
    pub(crate) fn is_open(&self, silence: &str) -> bool {
        matches!(&self.case.verdict, Verdict::Unspecified(silences) if silences.iter().any(|one| &**one == silence))
    }

    /// Whether the operator runs, so that there are data.
    pub(crate) fn runs(&self) -> bool {
        !self.case.inputs.is_empty()
    }

    pub(crate) fn uint(&self, field: &str) -> u32 {
        match self.value(field) {
            Value::UInt(value) => *value,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn float(&self, field: &str) -> f32 {
        match self.value(field) {
            Value::Float(value) => *value,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn uints(&self, field: &str) -> &'a [u32] {
        match self.value(field) {
            Value::UInts(list) => list.as_deref().unwrap_or_default(),
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn ints(&self, field: &str) -> &'a [i32] {
        match self.value(field) {
            Value::Ints(list) => list.as_deref().unwrap_or_default(),
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn scale_bias(&self, field: &str) -> Option<(f32, f32)> {
        match self.value(field) {
            Value::ScaleBias(pair) => *pair,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn nested(&self, field: &str) -> Option<&'a Descriptor> {
        match self.value(field) {
            Value::Operator(nested) => nested.as_deref(),
            other => panic!("{field} is {other:?}"),
        }
    }

    /// The tensors of one role that there are.
    pub(crate) fn tensors(&self, role: Role) -> Vec<&'a TensorDesc> {
        self.case.descriptor.tensors(self.operator, role)
    }

    /// Sizes of an input; empty where there is none.
    pub(crate) fn sizes(&self, input: usize) -> &'a [u32] {
        let tensor = self.tensors(Role::Input).get(input).copied();
        tensor.and_then(|tensor| tensor.sizes.as_deref()).unwrap_or_default()
    }

    /// Size of the first output along the axis that a field names; 0 where there is none.
    pub(crate) fn out_size(&self, axis: &str) -> u32 {
        let outputs = self.tensors(Role::Output);
        let sizes = outputs
            .first()
            .and_then(|tensor| tensor.sizes.as_deref())
            .unwrap_or_default();
        sizes.get(self.uint(axis) as usize).copied().unwrap_or(0)
    }

    /// Name of an input's data type.
    pub(crate) fn ty(&self, input: usize) -> &'a str {
        self.name(self.tensors(Role::Input).get(input).copied())
    }

    /// Name of the first output's data type.
    pub(crate) fn out(&self) -> &'a str {
        self.name(self.tensors(Role::Output).first().copied())
    }

    fn name(&self, tensor: Option<&TensorDesc>) -> &'a str {
        let ty = tensor.and_then(|tensor| self.suite.catalog.data_type(tensor.data_type));
        ty.map_or("", |ty| &ty.name)
    }

    /// Elements of an input; empty where only the descriptor is judged.
    pub(crate) fn numbers(&self, input: usize) -> &[Number] {
        let read = || {
            let call = Call::new(
                &self.suite.catalog,
                self.operator,
                &self.case.descriptor,
                &self.case.inputs,
            );
            let inputs = call.iter().flat_map(|call| &call.inputs);
            inputs.map(|input| input.numbers()).collect()
        };
        let inputs = self.numbers.get_or_init(read);
        inputs.get(input).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an element of the first input is so.
    pub(crate) fn any(&self, is: impl Fn(f64) -> bool) -> bool {
        self.numbers(0).iter().any(|number| is(number.double()))
    }

    /// The first lane of the first input along an axis.
    pub(crate) fn lane(&self, axis: u32) -> Vec<Number> {
        let sizes = self.sizes(0);
        let Some(size) = sizes.get(axis as usize) else {
            return Vec::new();
        };
        let inner: usize = sizes[axis as usize + 1..].iter().map(|n| *n as usize).product();
        self.numbers(0)
            .iter()
            .step_by(inner.max(1))
            .take(*size as usize)
            .copied()
            .collect()
    }

    /// Whether a tensor of this role has other strides than a packed one, along dimensions of more than one element.
    pub(crate) fn strided(&self, role: Role) -> bool {
        self.tensors(role).into_iter().any(|tensor| {
            let sizes = tensor.sizes.as_deref().unwrap_or_default();
            let packed = layout::packed_strides(sizes).unwrap_or_default();
            let strides = tensor.strides.as_deref().unwrap_or(&packed);
            let mut dimensions = sizes.iter().zip(strides.iter().zip(&packed));
            dimensions.any(|(size, (own, packed))| *size > 1 && own != packed)
        })
    }

    /// Whether elements of an output share places.
    pub(crate) fn shares_places(&self) -> bool {
        self.tensors(Role::Output).into_iter().any(|tensor| {
            let (sizes, strides) = (tensor.sizes.as_deref(), tensor.strides.as_deref());
            sizes
                .zip(strides)
                .is_some_and(|(sizes, strides)| layout::overlaps(sizes, strides))
        })
    }
}

/// Bytes an element of the first output.
pub(crate) fn width(operator: &Operator, case: &Case) -> usize {
    let outputs = case.descriptor.tensors(operator, Role::Output);
    Shape::of(dml_conformance::spec::catalog(), outputs[0])
        .expect("an output")
        .width()
}

/// Elements of a tensor of these sizes.
pub(crate) fn count(sizes: &[u32]) -> u64 {
    sizes.iter().map(|size| u64::from(*size)).product()
}

/// Whether these are all the same.
pub(crate) fn all_equal(numbers: &[Number]) -> bool {
    numbers.windows(2).all(|pair| pair[0] == pair[1])
}
