// Segmented radix select: digit by digit, the key of the K-th element of every sequence; then all elements before it,
// and as many of its equals, the lowest indices first, as there is room for.
//
// A sequence's state: the K-th key as far as it is known (high word, low word), how many elements to select of those
// that share it, a word of padding, a histogram of 256 digits, and for each chunk two counts: elements before the
// K-th key and its equals, later the sums of the chunks before.

const CHUNK = 4096u;
const A_LANE = CHUNK / LANES;
const REMAINING = 2u;
const BINS = 4u;
const CHUNKS = BINS + 256u;

@group(1) @binding(0) var<storage, read_write> state: array<atomic<u32>>;
@group(1) @binding(1) var<storage, read_write> source: array<u32>;
@group(1) @binding(2) var<storage, read_write> destination: array<u32>;

var<workgroup> bins: array<atomic<u32>, 256>;
var<workgroup> sums: array<u32, LANES>;

fn known_key(words: u32) -> Key {
    return from_words(atomicLoad(&state[words]), atomicLoad(&state[words + 1u]));
}

// Sum of the values of this lane and those before it.
fn sum_up(lane: u32, value: u32) -> u32 {
    workgroupBarrier();
    sums[lane] = value;
    workgroupBarrier();
    for (var distance = 1u; distance < LANES; distance <<= 1u) {
        var sum = sums[lane];
        if lane >= distance {
            sum += sums[lane - distance];
        }
        workgroupBarrier();
        sums[lane] = sum;
        workgroupBarrier();
    }
    return sums[lane];
}

// Counts the digits of a chunk's elements that agree with the key so far.
@compute @workgroup_size(256)
fn count_digits(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let sequence = group / params.parts;
    let from_index = (group % params.parts) * CHUNK;
    let words = sequence * params.state_stride;
    let start = start_of(params.first + sequence).x;
    let known = known_key(words);
    atomicStore(&bins[lane], 0u);
    workgroupBarrier();
    let end = min(CHUNK, params.size - from_index);
    for (var i = lane; i < end; i += LANES) {
        let key = load_key(start + (from_index + i) * params.input_stride);
        if params.first_digit != 0u || same_above(key, known, params.shift) {
            atomicAdd(&bins[digit(key, params.shift)], 1u);
        }
    }
    workgroupBarrier();
    let count = atomicLoad(&bins[lane]);
    if count > 0u {
        atomicAdd(&state[words + BINS + lane], count);
    }
}

// Finds the digit of the K-th key, one sequence a workgroup, and clears the histogram.
@compute @workgroup_size(256)
fn pick_digit(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let words = group * params.state_stride;
    var remaining = params.k;
    var known = from_words(0u, 0u);
    if params.first_digit == 0u {
        remaining = atomicLoad(&state[words + REMAINING]);
        known = known_key(words);
    }
    let count = atomicLoad(&state[words + BINS + lane]);
    atomicStore(&state[words + BINS + lane], 0u);
    let sum = sum_up(lane, count);
    if sum >= remaining && sum - count < remaining {
        let key = with_digit(known, params.shift, lane);
        atomicStore(&state[words], high_word(key));
        atomicStore(&state[words + 1u], low_word(key));
        atomicStore(&state[words + REMAINING], remaining - (sum - count));
    }
}

// Counts a chunk's elements before the K-th key, and its equals.
@compute @workgroup_size(256)
fn count_chunk(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let sequence = group / params.parts;
    let chunk = group % params.parts;
    let words = sequence * params.state_stride;
    let start = start_of(params.first + sequence).x;
    let kth = known_key(words);
    if lane < 2u {
        atomicStore(&bins[lane], 0u);
    }
    workgroupBarrier();
    var better = 0u;
    var equal = 0u;
    let end = min(CHUNK, params.size - chunk * CHUNK);
    for (var i = lane; i < end; i += LANES) {
        let key = load_key(start + (chunk * CHUNK + i) * params.input_stride);
        let comes_before = before(key, kth);
        better += u32(comes_before);
        equal += u32(!comes_before && !before(kth, key));
    }
    atomicAdd(&bins[0], better);
    atomicAdd(&bins[1], equal);
    workgroupBarrier();
    if lane < 2u {
        atomicStore(&state[words + CHUNKS + 2u * chunk + lane], atomicLoad(&bins[lane]));
    }
}

// Turns the chunks' counts into sums of the chunks before, one sequence a workgroup.
@compute @workgroup_size(256)
fn sum_chunks(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let counts = group * params.state_stride + CHUNKS;
    for (var which = 0u; which < 2u; which++) {
        var carried = 0u;
        for (var chunk = 0u; chunk < params.parts; chunk += LANES) {
            let word = counts + 2u * (chunk + lane) + which;
            var count = 0u;
            if chunk + lane < params.parts {
                count = atomicLoad(&state[word]);
            }
            let sum = sum_up(lane, count);
            if chunk + lane < params.parts {
                atomicStore(&state[word], carried + sum - count);
            }
            carried += sums[LANES - 1u];
        }
    }
}

// Lists the selected elements' indices: those before the K-th key first, each kind by ascending index.
@compute @workgroup_size(256)
fn collect(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let sequence = group / params.parts;
    let chunk = group % params.parts;
    let words = sequence * params.state_stride;
    let start = start_of(params.first + sequence).x;
    let kth = known_key(words);
    let equals_wanted = atomicLoad(&state[words + REMAINING]);
    // A lane takes neighbours, so that one sum orders them all. Bits mark those to select.
    let from_index = min(chunk * CHUNK + lane * A_LANE, params.size);
    let end = min(A_LANE, params.size - from_index);
    var better = 0u;
    var equal = 0u;
    for (var i = 0u; i < end; i++) {
        let key = load_key(start + (from_index + i) * params.input_stride);
        let comes_before = before(key, kth);
        better |= u32(comes_before) << i;
        equal |= u32(!comes_before && !before(kth, key)) << i;
    }
    // Both counts in one word: a chunk has no more than 4096 elements.
    let counts = countOneBits(better) | (countOneBits(equal) << 16u);
    let sum = sum_up(lane, counts) - counts;
    let before_chunk = words + CHUNKS + 2u * chunk;
    var better_place = atomicLoad(&state[before_chunk]) + (sum & 0xffffu);
    var equal_place = atomicLoad(&state[before_chunk + 1u]) + (sum >> 16u);
    let list = sequence * params.k;
    let betters = params.k - equals_wanted;
    for (var i = 0u; i < end; i++) {
        if ((better >> i) & 1u) != 0u {
            destination[list + better_place] = from_index + i;
            better_place++;
        } else if ((equal >> i) & 1u) != 0u {
            if equal_place < equals_wanted {
                destination[list + betters + equal_place] = from_index + i;
            }
            equal_place++;
        }
    }
}
