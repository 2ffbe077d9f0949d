// Sums of two tensors' elements, through an activation if one is fused.

struct Params {
    // Elements of the output.
    count: u32,
    // Workgroups in a row.
    columns: u32,
    // Dimensions in `dims`.
    rank: u32,
    // Binary logarithm of an element's bytes.
    width: u32,

    // Which activation is fused, and its coefficients.
    activation: u32,
    padding: u32,
    coefficients: vec2<f32>,

    // Of each dimension its size, and distances in both inputs and the output.
    dims: array<vec4<u32>, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

@compute @workgroup_size(256)
fn add(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = group_number(id) * LANES + lane;
    if number >= params.count {
        return;
    }
    let offsets = offsets_of(number, 0u, params.rank);
    let sum = number_in(a[word_of(offsets.x, params.width)], offsets.x)
        + number_in(b[word_of(offsets.y, params.width)], offsets.y);
    store_number(offsets.z, activate(params.activation, sum, params.coefficients));
}
