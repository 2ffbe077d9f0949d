// The index of the first key, by itself or by its index, of every set of elements that differ in the reduced
// dimensions only.
//
// If sets are short or many, an invocation looks through a whole one. Otherwise each set is parted among workgroups,
// whose findings a last one compares.

struct Params {
    sets: u32,
    // Elements of a set, of a part of it, and how many parts there are.
    size: u32,
    part: u32,
    parts: u32,

    // Dimensions in `dims` that are not reduced, and all; the reduced ones come after the others.
    kept: u32,
    rank: u32,
    // Workgroups of this dispatch, `columns` in a row.
    groups: u32,
    columns: u32,

    // Binary logarithm of an element's bytes.
    width: u32,
    order: u32,
    // The highest bit of an element, or of its high word.
    sign: u32,
    descending: u32,

    // The mask that is xored to indices, so that of equal elements the one to select has the lowest.
    turn: u32,
    // Whether indices have 64 bits.
    wide_index: u32,
    padding: vec2<u32>,

    // Size, and distances in input and output, of each dimension.
    dims: array<vec4<u32>, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<atomic<u32>>;

// Of every part: its first key (high word, low word) and the index.
@group(1) @binding(0) var<storage, read_write> found: array<u32>;

const NOTHING = 0xffffffffu;

var<workgroup> keys: array<Key, LANES>;
var<workgroup> indices: array<u32, LANES>;

fn start_of(number: u32) -> vec3<u32> {
    return offsets_of(number, 0u, params.kept);
}

fn key_at(start: u32, index: u32) -> Key {
    return load_key(start + offsets_of(index, params.kept, params.rank).x);
}

fn write_index(place: u32, index: u32) {
    if params.wide_index != 0u {
        store_words(place, index, 0u);
    } else {
        store_bits(place, index, 2u);
    }
}

// Every invocation its own set.
@compute @workgroup_size(256)
fn look_through(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = group_number(id) * LANES + lane;
    if number >= params.sets {
        return;
    }
    let start = start_of(number);
    var best = LAST;
    var best_index = NOTHING;
    for (var index = 0u; index < params.size; index++) {
        let key = key_at(start.x, index);
        let turned = index ^ params.turn;
        if precedes(key, turned, best, best_index) {
            best = key;
            best_index = turned;
        }
    }
    write_index(start.y, best_index ^ params.turn);
}

// Leaves the first of all lanes' candidates in place 0.
fn compare_lanes(lane: u32, key: Key, index: u32) {
    keys[lane] = key;
    indices[lane] = index;
    for (var distance = LANES / 2u; distance > 0u; distance >>= 1u) {
        workgroupBarrier();
        if lane < distance && precedes(keys[lane + distance], indices[lane + distance], keys[lane], indices[lane]) {
            keys[lane] = keys[lane + distance];
            indices[lane] = indices[lane + distance];
        }
    }
    workgroupBarrier();
}

// A part of a set a workgroup.
@compute @workgroup_size(256)
fn look_through_part(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let start = start_of(group / params.parts).x;
    let begin = (group % params.parts) * params.part;
    let count = min(params.part, params.size - begin);
    var best = LAST;
    var best_index = NOTHING;
    for (var i = lane; i < count; i += LANES) {
        let key = key_at(start, begin + i);
        let turned = (begin + i) ^ params.turn;
        if precedes(key, turned, best, best_index) {
            best = key;
            best_index = turned;
        }
    }
    compare_lanes(lane, best, best_index);
    if lane == 0u {
        found[3u * group] = high_word(keys[0]);
        found[3u * group + 1u] = low_word(keys[0]);
        found[3u * group + 2u] = indices[0];
    }
}

// Reduces the results of all parts of a set, one workgroup for each set.
@compute @workgroup_size(256)
fn compare_parts(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    var best = LAST;
    var best_index = NOTHING;
    for (var part = lane; part < params.parts; part += LANES) {
        let words = 3u * (group * params.parts + part);
        let key = from_words(found[words], found[words + 1u]);
        let index = found[words + 2u];
        if precedes(key, index, best, best_index) {
            best = key;
            best_index = index;
        }
    }
    compare_lanes(lane, best, best_index);
    if lane == 0u {
        write_index(start_of(group).y, indices[0] ^ params.turn);
    }
}
