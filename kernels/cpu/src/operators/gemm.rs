//! GEMM: products of matrices in single precision, with a matrix added; a fused activation turns the results into those
//! of its own kernel before they are rounded to the output's type.

use dml_ops::{MatrixTransform, TensorDesc, gemm::Gemm};

use crate::{
    KernelError,
    fused::activate,
    number::{self, Number, Type},
    view::{Layout, Walk, require_tensor},
};

/// Multiplies `inputs[0]` by `inputs[1]` and adds `inputs[2]`, if there is one, into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails, unless there is
/// no kernel for the activation.
pub(super) fn execute(op: &Gemm, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let (a, b, c, output) = match (inputs, &mut *outputs) {
        ([a, b], [output]) => (a, b, None, output),
        ([a, b, c], [output]) => (a, b, Some(c), output),
        (inputs, outputs) => {
            return Err(KernelError::buffers(inputs, outputs));
        }
    };
    let tensor = require_tensor(&op.output_tensor)?;
    let ty = Type::of(tensor.data_type)?;
    let to = Layout::new(tensor, ty.width(), output.len())?;
    let a = Matrices::new(ty, &op.a_tensor, a, op.trans_a)?;
    let b = Matrices::new(ty, &op.b_tensor, b, op.trans_b)?;
    let c = match (&op.c_tensor, c) {
        (None, None) => None,
        (tensor, Some(bytes)) => Some(Matrices::new(ty, tensor, bytes, MatrixTransform::NONE)?),
        (Some(_), None) => return Err(KernelError::Absent),
    };
    let rank = to.rank();
    if rank < 2 {
        return Err(KernelError::Rank(rank));
    }
    let (rows, columns) = (to.size(rank - 2), to.size(rank - 1));
    let same_batch = |of: &Matrices| of.layout.rank() == rank && (0..rank - 2).all(|d| of.layout.size(d) == to.size(d));
    let fits = [Some(&a), Some(&b), c.as_ref()].into_iter().flatten().all(same_batch)
        && a.shape() == (rows, a.shape().1)
        && b.shape() == (a.shape().1, columns)
        && c.as_ref().is_none_or(|c| c.shape() == (rows, columns));
    if !fits {
        return Err(KernelError::Sizes);
    }
    let batches = to.keep_axes(|d| d + 2 < rank);
    let mut results = Vec::with_capacity(4 * to.count());
    let mut starts = [Some(&a), Some(&b), c.as_ref()].map(|of| of.map(Matrices::starts));
    for _ in 0..batches.count() {
        let [of_a, of_b, of_c] = starts
            .each_mut()
            .map(|starts| starts.as_mut().and_then(Iterator::next).map_or(0, |[start]| start));
        for row in 0..rows {
            for column in 0..columns {
                let terms = (0..a.shape().1).map(|k| a.element(of_a, row, k) * b.element(of_b, k, column));
                let product = op.alpha * terms.sum::<f32>();
                let added = c.as_ref().map_or(0.0, |c| op.beta * c.element(of_c, row, column));
                results.extend_from_slice(&(product + added).to_le_bytes());
            }
        }
    }
    if let Some(nested) = &op.fused_activation {
        results = activate(nested, &results)?;
    }
    for ([target], bytes) in to.elements().zip(results.chunks_exact(4)) {
        let result = Type::Single.number(crate::view::read_first::<4>(bytes));
        number::write(ty, output, target, ty.bits(result));
    }
    Ok(())
}

/// The matrices of a tensor.
struct Matrices<'a> {
    ty: Type,
    bytes: &'a [u8],
    layout: Layout,
    is_transposed: bool,
}

impl<'a> Matrices<'a> {
    fn new(
        ty: Type,
        tensor: &Option<TensorDesc>,
        bytes: &'a [u8],
        transform: MatrixTransform,
    ) -> Result<Self, KernelError> {
        Ok(Self {
            ty,
            bytes,
            layout: Layout::new(require_tensor(tensor)?, ty.width(), bytes.len())?,
            is_transposed: transform == MatrixTransform::TRANSPOSE,
        })
    }

    /// Where each of them starts.
    fn starts(&self) -> Walk<1> {
        let rank = self.layout.rank();
        self.layout.keep_axes(|d| d + 2 < rank).elements()
    }

    /// Rows and columns, once transposed.
    fn shape(&self) -> (usize, usize) {
        let rank = self.layout.rank();
        let (rows, columns) = (self.layout.size(rank.wrapping_sub(2)), self.layout.size(rank - 1));
        if self.is_transposed {
            (columns, rows)
        } else {
            (rows, columns)
        }
    }

    /// An element of the matrix that starts there.
    fn element(&self, start: usize, row: usize, column: usize) -> f32 {
        let rank = self.layout.rank();
        let (row, column) = if self.is_transposed {
            (column, row)
        } else {
            (row, column)
        };
        let place = start + row * self.layout.stride(rank.wrapping_sub(2)) + column * self.layout.stride(rank - 1);
        match self.ty.number(number::read(self.ty, self.bytes, place)) {
            Number::Real(x) => x as f32,
            Number::Whole(n) => n as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, Descriptor, Value};

    use super::*;

    fn tensor(sizes: &[u32]) -> Option<TensorDesc> {
        Some(TensorDesc::packed(DataType::FLOAT32.0, 32, sizes))
    }

    fn bytes(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    #[test]
    fn matrices_are_multiplied_scaled_and_activated() {
        let mut op = Gemm {
            a_tensor: tensor(&[3, 2]),
            b_tensor: tensor(&[3, 2]),
            c_tensor: tensor(&[2, 2]),
            output_tensor: tensor(&[2, 2]),
            trans_a: MatrixTransform::TRANSPOSE,
            trans_b: MatrixTransform::NONE,
            alpha: 2.0,
            beta: -1.0,
            fused_activation: None,
        };
        let (a, b) = (
            bytes(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
            bytes(&[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        );
        let c = bytes(&[100.0, 1.0, 1.0, 1.0]);
        let run = |op: &Gemm| {
            let mut out = vec![0; 16];
            execute(op, &[&a, &b, &c], &mut [&mut out]).unwrap();
            out
        };
        assert_eq!(run(&op), bytes(&[-92.0, 9.0, 19.0, 21.0]));
        op.fused_activation = Some(Box::new(Descriptor {
            operator: "ACTIVATION_RELU".into(),
            fields: vec![Value::Tensor(None), Value::Tensor(None)],
        }));
        assert_eq!(run(&op), bytes(&[0.0, 9.0, 19.0, 21.0]));
    }
}
