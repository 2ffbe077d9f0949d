// Sorts lists of candidates: in one network if they fit, else tile by tile, and then merges runs until one is left.

fn candidate(list: u32, place: u32) -> u32 {
    if params.everything != 0u {
        return place;
    }
    return source[list + place];
}

// Loads up to CAPACITY candidates and sorts them.
fn sort_candidates(lane: u32, start: u32, list: u32, from_place: u32, count: u32) {
    for (var i = lane; i < params.network; i += LANES) {
        keys[i] = LAST;
        places[i] = PADDING;
        if i < count {
            let index = candidate(list, from_place + i);
            keys[i] = load_key(start + index * params.input_stride);
            places[i] = index;
        }
    }
    sort_network(lane);
}

// A list that fits into one network, one sequence a workgroup, to the outputs.
@compute @workgroup_size(256)
fn sort_list(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let start = start_of(params.first + group);
    sort_candidates(lane, start.x, group * params.k, 0u, params.k);
    for (var place = lane; place < params.k; place += LANES) {
        emit(start, place, places[place]);
    }
}

// A tile of a longer list, to the other list.
@compute @workgroup_size(256)
fn sort_tile(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let sequence = group / params.parts;
    let from_place = (group % params.parts) * CAPACITY;
    let start = start_of(params.first + sequence).x;
    let list = sequence * params.k;
    let count = min(CAPACITY, params.k - from_place);
    sort_candidates(lane, start, list, from_place, count);
    for (var i = lane; i < count; i += LANES) {
        destination[list + from_place + i] = places[i];
    }
}

// Merges pairs of runs: an element's place is its own plus the number of those before it in the other run.
@compute @workgroup_size(256)
fn merge_runs(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    let sequence = group / params.parts;
    let place = (group % params.parts) * LANES + lane;
    if group >= params.groups || place >= params.k {
        return;
    }
    let start = start_of(params.first + sequence).x;
    let list = sequence * params.k;
    let left = place - place % (2u * params.run);
    let middle = min(left + params.run, params.k);
    let end = min(middle + params.run, params.k);
    let index = source[list + place];
    let key = load_key(start + index * params.input_stride);
    let in_left = place < middle;
    let other = select(left, middle, in_left);
    var low = other;
    var high = select(middle, end, in_left);
    while low < high {
        let probe = low + (high - low) / 2u;
        let probe_index = source[list + probe];
        if precedes(load_key(start + probe_index * params.input_stride), probe_index, key, index) {
            low = probe + 1u;
        } else {
            high = probe;
        }
    }
    let own = place - select(middle, left, in_left);
    destination[list + left + own + (low - other)] = index;
}

// A sorted list to the outputs.
@compute @workgroup_size(256)
fn write_list(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    let sequence = group / params.parts;
    let place = (group % params.parts) * LANES + lane;
    if group >= params.groups || place >= params.k {
        return;
    }
    emit(start_of(params.first + sequence), place, source[sequence * params.k + place]);
}
