//! How fields are declared in C.

use dml_spec::model::FieldKind;

/// The type of a field, without `const` and `*`, and whether it is a pointer.
pub fn c_type(kind: &FieldKind) -> (&str, bool) {
    match kind {
        FieldKind::Tensor(_) | FieldKind::Tensors(..) => ("DML_TENSOR_DESC", true),
        FieldKind::UInt => ("UINT", false),
        FieldKind::UInts(_) => ("UINT", true),
        FieldKind::Int => ("INT", false),
        FieldKind::Ints(_) => ("INT", true),
        FieldKind::Float => ("FLOAT", false),
        FieldKind::Floats(_) => ("FLOAT", true),
        FieldKind::Bool => ("BOOL", false),
        FieldKind::Enum(name) => (name, false),
        FieldKind::ScaleBias => ("DML_SCALE_BIAS", true),
        FieldKind::Size2D => ("DML_SIZE_2D", false),
        FieldKind::Scalar(_) => ("DML_SCALAR_UNION", false),
        FieldKind::Operator | FieldKind::Operators(_) => ("DML_OPERATOR_DESC", true),
    }
}
