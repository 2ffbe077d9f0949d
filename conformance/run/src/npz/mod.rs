//! Archives of arrays as NumPy writes and reads them: `.npz` files of uncompressed `.npy` arrays.

mod head;
mod read;
mod write;

use dml_spec::model::{DataType, NumberClass};

pub use read::{NpzError, Reader};
pub(crate) use write::Archive;

/// NumPy's name of a data type.
pub(crate) fn descr(ty: &DataType) -> Result<String, String> {
    let kind = match ty.class {
        NumberClass::Float => 'f',
        NumberClass::Signed => 'i',
        NumberClass::Unsigned => 'u',
        NumberClass::Unknown => return Err(format!("NumPy has no type {}", ty.name)),
    };
    let order = if ty.bits == 8 { '|' } else { '<' };
    Ok(format!("{order}{kind}{}", ty.bits / 8))
}

#[cfg(test)]
mod tests;
