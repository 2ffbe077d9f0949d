// A bitonic network in workgroup memory: sorts short sequences, the survivors of a selection, and tiles of long lists.

var<workgroup> keys: array<Key, CAPACITY>;
var<workgroup> places: array<u32, CAPACITY>;

const PADDING = 0xffffffffu;

// Sorts the first `params.network` candidates.
fn sort_network(lane: u32) {
    workgroupBarrier();
    for (var block = 2u; block <= params.network; block <<= 1u) {
        for (var distance = block >> 1u; distance > 0u; distance >>= 1u) {
            for (var pair = lane; pair < (params.network >> 1u); pair += LANES) {
                let low = 2u * pair - (pair & (distance - 1u));
                let high = low + distance;
                let ascending = (low & block) == 0u;
                let a = keys[low];
                let b = keys[high];
                let a_place = places[low];
                let b_place = places[high];
                if precedes(b, b_place, a, a_place) == ascending {
                    keys[low] = b;
                    keys[high] = a;
                    places[low] = b_place;
                    places[high] = a_place;
                }
            }
            workgroupBarrier();
        }
    }
}

// One sequence a workgroup, sorted whole.
@compute @workgroup_size(256)
fn short(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = group_number(id);
    if group >= params.groups {
        return;
    }
    let start = start_of(params.first + group);
    for (var i = lane; i < params.network; i += LANES) {
        keys[i] = LAST;
        places[i] = PADDING;
        if i < params.size {
            keys[i] = load_key(start.x + i * params.input_stride);
            places[i] = i;
        }
    }
    sort_network(lane);
    for (var place = lane; place < params.k; place += LANES) {
        emit(start, place, places[place]);
    }
}
