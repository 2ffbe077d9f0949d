// Shared by all kernels: workgroups in rows, and walks over the dimensions of several tensors at once.
//
// The `Params` of every shader has `columns`, the workgroups in a row, and `dims`: of each dimension its size, and its
// distances in up to three tensors.

const LANES = 256u;

// The workgroup's number: dispatches that are too large for one row have several.
fn group_number(id: vec3<u32>) -> u32 {
    return id.y * params.columns + id.x;
}

// The place, in three tensors, of the element that the dimensions from `begin` to `end` count in row-major order.
fn offsets_of(number: u32, begin: u32, end: u32) -> vec3<u32> {
    var rest = number;
    var offsets = vec3<u32>(0u);
    for (var d = end; d > begin; d--) {
        let dim = params.dims[d - 1u];
        offsets += (rest % dim.x) * dim.yzw;
        rest /= dim.x;
    }
    return offsets;
}
