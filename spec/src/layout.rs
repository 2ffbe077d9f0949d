//! Placeholder for layout arithmetic.
/// Smallest legal total size.
pub fn minimum_total_size(_sizes: &[u32], _strides: Option<&[u32]>, _bits: u32) -> Option<u64> {
    None
}
