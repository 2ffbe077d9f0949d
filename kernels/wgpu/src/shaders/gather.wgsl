// Elements taken along an axis by their indices.
//
// Each dimension of the output is one of the input or one of the indices, so one walk over it covers all three.

struct Params {
    // Elements of the output.
    count: u32,
    // Workgroups in a row.
    columns: u32,
    // Dimensions in `dims`.
    rank: u32,
    // Binary logarithm of an element's bytes.
    width: u32,

    // Elements along the input's axis, and their distance.
    size: u32,
    stride: u32,
    // Whether indices have 64 bits, and whether the highest one is a sign.
    wide_index: u32,
    signed_index: u32,

    // Of each dimension of the output its size, and distances in input, indices and output.
    dims: array<vec4<u32>, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

// The element along the axis that an index takes: negative ones count from the end, and what lies beyond either end is
// clamped.
fn taken_by(place: u32) -> u32 {
    var low = indices[select(place, 2u * place, params.wide_index != 0u)];
    var high = select(0u, 0xffffffffu, (low >> 31u) != 0u);
    if params.wide_index != 0u {
        high = indices[2u * place + 1u];
    } else if params.signed_index == 0u {
        high = 0u;
    }
    if params.signed_index != 0u && (high >> 31u) != 0u {
        let back = ~low + 1u;
        let back_high = ~high + u32(low == 0u);
        return select(params.size - back, 0u, back_high != 0u || back > params.size);
    }
    return select(min(low, params.size - 1u), params.size - 1u, high != 0u);
}

@compute @workgroup_size(256)
fn gather(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = group_number(id) * LANES + lane;
    if number >= params.count {
        return;
    }
    let offsets = offsets_of(number, 0u, params.rank);
    copy_element(offsets.x + taken_by(offsets.y) * params.stride, offsets.z);
}
