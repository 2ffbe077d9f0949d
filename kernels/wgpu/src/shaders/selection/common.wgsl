// Shared by the kernels of selections: bindings, places of sequences and elements.
//
// A sequence is the input along the axis, at one position of the other dimensions. The files in keys/ say what a key
// is.

struct Params {
    // Elements of a sequence, and how many of them to select.
    size: u32,
    k: u32,
    // Sequences of this dispatch, and the first of them.
    sequences: u32,
    first: u32,

    // Distances in elements between neighbours along the axis.
    input_stride: u32,
    value_stride: u32,
    index_stride: u32,
    // Dimensions in `dims`.
    rank: u32,

    // Binary logarithm of an element's bytes.
    width: u32,
    order: u32,
    // The highest bit of an element, or of its high word.
    sign: u32,
    descending: u32,

    // Whether indices have 64 bits.
    wide_index: u32,
    // Workgroups of this dispatch, `columns` in a row.
    groups: u32,
    columns: u32,
    // Workgroups, and so tiles or chunks, of a sequence.
    parts: u32,

    // Sequences a workgroup.
    together: u32,
    // Elements that the network sorts: a power of two.
    network: u32,
    // Position of the key's current digit, and whether it is the first one.
    shift: u32,
    first_digit: u32,

    // Words of state a sequence.
    state_stride: u32,
    // Elements of a sorted run.
    run: u32,
    // Whether candidates are all elements rather than a list of them.
    everything: u32,
    padding: u32,

    // Size, and distances in input, values and indices, of each dimension but the axis.
    dims: array<vec4<u32>, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> indices: array<u32>;

// Where a sequence begins in input, values and indices.
fn start_of(sequence: u32) -> vec3<u32> {
    return offsets_of(sequence, 0u, params.rank);
}

// Writes the element with this index, and the index, to a place of the sequence's outputs.
fn emit(start: vec3<u32>, place: u32, index: u32) {
    copy_element(start.x + index * params.input_stride, start.y + place * params.value_stride);
    let written = start.z + place * params.index_stride;
    if params.wide_index != 0u {
        indices[2u * written] = index;
        indices[2u * written + 1u] = 0u;
    } else {
        indices[written] = index;
    }
}
