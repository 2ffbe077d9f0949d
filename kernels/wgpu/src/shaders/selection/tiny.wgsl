// Several short sequences a workgroup: the place of an element is the number of those that come before it.

var<workgroup> tiny_keys: array<Key, LANES>;

@compute @workgroup_size(256)
fn tiny(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let slot = lane / params.size;
    let index = lane % params.size;
    let number = group * params.together + slot;
    let wanted = slot < params.together && number < params.sequences;
    var start = vec3<u32>(0u);
    var key = LAST;
    if wanted {
        start = start_of(params.first + number);
        key = load_key(start.x + index * params.input_stride);
    }
    tiny_keys[lane] = key;
    workgroupBarrier();
    if !wanted {
        return;
    }
    let base = slot * params.size;
    var place = 0u;
    for (var other = 0u; other < params.size; other++) {
        place += u32(precedes(tiny_keys[base + other], other, key, index));
    }
    if place < params.k {
        emit(start, place, index);
    }
}
