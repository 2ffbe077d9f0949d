// The running sum ("tally") of every sequence along an axis. The type of a tally and its addition are in real.wgsl,
// word.wgsl or pair.wgsl, which comes before this file.
//
// If sequences are short or many, an invocation handles a whole one. Otherwise each is cut into blocks, one for each
// workgroup: these are summed, the sums become tallies of the blocks before, and every block starts its tally with
// that.

struct Params {
    sequences: u32,
    // Elements of a sequence, and its blocks.
    size: u32,
    blocks: u32,
    // Dimensions in `dims`.
    rank: u32,

    // Distances in elements between neighbours along the axis.
    input_stride: u32,
    output_stride: u32,
    // Workgroups of this dispatch, `columns` in a row.
    groups: u32,
    columns: u32,

    // Binary logarithm of an element's bytes.
    width: u32,
    // Whether elements are passed by descending index.
    backwards: u32,
    // Whether an element is left out of the tally in its place.
    exclusive: u32,
    padding: u32,

    // Size, and distances in input and output, of each dimension but the axis.
    dims: array<vec4<u32>, 8>,
}

const A_LANE = 8u;
const BLOCK = LANES * A_LANE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<atomic<u32>>;

// Of every block its sum, later the tally of the blocks before it.
@group(1) @binding(0) var<storage, read_write> sums: array<Tally>;

var<workgroup> lane_sums: array<Tally, LANES>;

fn start_of(sequence: u32) -> vec3<u32> {
    return offsets_of(sequence, 0u, params.rank);
}

// The index of the element that is passed in this place.
fn passed(place: u32) -> u32 {
    return select(place, params.size - 1u - place, params.backwards != 0u);
}

// The element that is passed in this place.
fn element(start: vec3<u32>, place: u32) -> Tally {
    return load_element(start.x + passed(place) * params.input_stride);
}

// Passes elements one by one, from a tally on, and writes the tallies.
fn tally_up(start: vec3<u32>, begin: u32, end: u32, carried: Tally) {
    var tally = carried;
    for (var place = begin; place < end; place++) {
        let before = tally;
        tally = plus(tally, element(start, place));
        let output_at = start.y + passed(place) * params.output_stride;
        if params.exclusive != 0u {
            store_tally(output_at, before);
        } else {
            store_tally(output_at, tally);
        }
    }
}

// Every invocation its own sequence.
@compute @workgroup_size(256)
fn pass_sequences(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let sequence = group_number(id) * LANES + lane;
    if sequence < params.sequences {
        tally_up(start_of(sequence), 0u, params.size, ZERO);
    }
}

// Sum of the values of this lane and those before it. It is never computed by subtraction: that would spoil the values
// before a NaN, and have a larger error.
fn sum_up(lane: u32, value: Tally) -> Tally {
    workgroupBarrier();
    lane_sums[lane] = value;
    workgroupBarrier();
    for (var distance = 1u; distance < LANES; distance <<= 1u) {
        var sum = lane_sums[lane];
        if lane >= distance {
            sum = plus(lane_sums[lane - distance], sum);
        }
        workgroupBarrier();
        lane_sums[lane] = sum;
        workgroupBarrier();
    }
    return lane_sums[lane];
}

// Sum of the values of the lanes before, once all are summed up.
fn before_lane(lane: u32) -> Tally {
    if lane == 0u {
        return ZERO;
    }
    return lane_sums[lane - 1u];
}

// The places of a block that a lane passes: neighbours.
fn first_place(block: u32, lane: u32) -> u32 {
    return min(block * BLOCK + lane * A_LANE, params.size);
}

fn sum_of(start: vec3<u32>, begin: u32, end: u32) -> Tally {
    var sum = ZERO;
    for (var place = begin; place < end; place++) {
        sum = plus(sum, element(start, place));
    }
    return sum;
}

// Sums a block.
@compute @workgroup_size(256)
fn sum_block(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let start = start_of(group / params.blocks);
    let begin = first_place(group % params.blocks, lane);
    let sum = sum_up(lane, sum_of(start, begin, min(begin + A_LANE, params.size)));
    if lane == LANES - 1u {
        sums[group] = sum;
    }
}

// Turns the sums of a sequence's blocks into tallies of those before.
@compute @workgroup_size(256)
fn sum_blocks(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    var carried = ZERO;
    for (var first = 0u; first < params.blocks; first += LANES) {
        let block = first + lane;
        var sum = ZERO;
        if block < params.blocks {
            sum = sums[group * params.blocks + block];
        }
        sum_up(lane, sum);
        if block < params.blocks {
            sums[group * params.blocks + block] = plus(carried, before_lane(lane));
        }
        carried = plus(carried, lane_sums[LANES - 1u]);
    }
}

// Writes the tallies of a block.
@compute @workgroup_size(256)
fn tally_block(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let start = start_of(group / params.blocks);
    let begin = first_place(group % params.blocks, lane);
    let end = min(begin + A_LANE, params.size);
    sum_up(lane, sum_of(start, begin, end));
    tally_up(start, begin, end, plus(sums[group], before_lane(lane)));
}
