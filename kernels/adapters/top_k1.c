// TOP_K1 in C: a whole program for dml-cts, on a little-endian machine, with nothing but libc. Try it:
//   cc -O2 -o /tmp/top_k1 kernels/adapters/top_k1.c && dml-cts run --backend exec:/tmp/top_k1 TOP_K1
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// JSON: a value is a pointer to its first character. The harness writes neither spaces nor escapes.
static const char *skip(const char *v) { // what stands behind a value
    if (*v != '{' && *v != '[') return *v == '"' ? v + 2 + strcspn(v + 1, "\"") : v + strcspn(v, ",]}");
    for (v++; *v && *v != '}' && *v != ']'; v += *v == ',' || *v == ':') v = skip(v);
    return v + 1;
}
static int is(const char *v, const char *text) { // whether it is this string
    return *v == '"' && !strncmp(v + 1, text, strlen(text)) && v[1 + strlen(text)] == '"';
}
static const char *member(const char *object, const char *key) { // the value of a member
    for (const char *name = object + 1, *value; *name == '"'; name = skip(value), name += *name == ',')
        if (value = skip(name) + 1, is(name, key)) return value;
    return "null";
}
static uint64_t number(const char *v) { return strtoull(v + (*v == '"'), NULL, 10); } // large ones are strings
static int numbers(const char *v, uint64_t into[8]) { // how many; as many as fit are stored
    int count = 0;
    for (v++; *v && *v != ']'; v = skip(v), v += *v == ',', count++) if (count < 8) into[count] = number(v);
    return count;
}
static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="; // of base64
static unsigned char VALUES[256]; // of the digits
static unsigned char *decode(const char *v, uint64_t bytes) {
    unsigned char *data = malloc(bytes + 4);
    for (uint64_t at = 0; at < bytes; at += 3) {
        uint32_t bits = 0;
        for (int i = 0; i < 4; i++) bits = bits << 6 | VALUES[(unsigned char)*++v];
        data[at] = bits >> 16, data[at + 1] = bits >> 8, data[at + 2] = bits;
    }
    return data;
}
static void encode(const unsigned char *data, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += 3) {
        uint32_t left = bytes - at, bits = data[at] << 16 | data[at + 1] << 8 | data[at + 2]; // there is room behind
        for (uint32_t i = 0; i < 4; i++) putchar(i > left ? '=' : DIGITS[bits >> (18 - 6 * i) & 63]);
    }
}
static const struct type { const char *name; int bits, level; } TYPES[] = { // level: from which on they are values
    {"FLOAT32", 32, 21}, {"FLOAT16", 16, 21}, {"INT64", 64, 50}, {"INT32", 32, 21}, {"INT16", 16, 21}, {"INT8", 8, 21},
    {"UINT64", 64, 50}, {"UINT32", 32, 21}, {"UINT16", 16, 21}, {"UINT8", 8, 21}};
struct tensor { const struct type *type; int rank; uint64_t size[8], stride[8], total; };
static uint64_t place(const struct tensor *t, const uint64_t *at) { // of an element, counted in elements
    uint64_t sum = 0;
    for (int d = 0; d < t->rank; d++) sum += at[d] * t->stride[d];
    return sum;
}
static int next(const struct tensor *t, uint64_t *at, int axis) { // on to the next element, or the next lane of an axis
    for (int d = t->rank - 1; d >= 0; at[d--] = 0) if (d != axis && ++at[d] < t->size[d]) return 1;
    return 0;
}
static int tensor(struct tensor *t, const char *v, int output, int level) { // reads one; whether it is valid
    const char *type = member(v, "DataType"), *sizes = member(v, "Sizes"), *strides = member(v, "Strides");
    uint64_t flags = number(member(v, "Flags")), align = number(member(v, "GuaranteedBaseOffsetAlignment"));
    t->type = NULL;
    for (int i = 0; i < 10; i++) if (is(type, TYPES[i].name)) t->type = &TYPES[i];
    t->rank = *sizes == '[' ? numbers(sizes, t->size) : 0, t->total = number(member(v, "TotalTensorSizeInBytes"));
    if (!t->type || t->rank < 1 || t->rank > 8 || (level < 31 && t->rank != 4)) return 0;
    if (*strides == '[' && numbers(strides, t->stride) != t->rank) return 0;
    double reach = 1, packed = 1; // exact as far as it matters: a tensor has less than 2^32 elements
    for (int d = t->rank - 1; d >= 0; packed *= t->size[d--]) {
        if (!t->size[d] || packed > 1e10) return 0;
        if (*strides != '[') t->stride[d] = packed;
        reach += (t->size[d] - 1.0) * t->stride[d];
    }
    if (t->total / (t->type->bits / 8) > UINT32_MAX || reach > 1e10) return 0;
    if (((uint64_t)reach * t->type->bits + 31) / 32 * 4 > t->total) return 0;
    for (int d = 0; output && d < t->rank; d++) { // other outputs whose elements share places are taken
        if (t->size[d] > 1 && (!t->stride[d] || reach < packed)) return 0;
        for (int e = 0; e < d; e++) if (t->size[d] > 1 && t->size[e] > 1 && t->stride[d] == t->stride[e]) return 0;
    }
    return flags <= !output && !(align & (align - 1)) && (!align || align >= 16);
}
static int increasing; // the direction
struct element { int64_t key; uint64_t index; };
static int order(const void *a, const void *b) { // equal ones by ascending index
    const struct element *x = a, *y = b;
    return (x->key == y->key ? x->index < y->index : (x->key < y->key) == increasing) ? -1 : 1;
}
static int64_t key(const struct type *type, const unsigned char *data) { // a number that orders as the element does
    uint64_t bits = 0, top = 1ull << (type->bits - 1);
    memcpy(&bits, data, type->bits / 8);
    if (type->name[0] == 'F') return bits & top ? -(int64_t)(bits ^ top) : (int64_t)bits; // both zeros are 0
    return type->name[0] == 'I' ? (int64_t)(bits ^ top) - (int64_t)top : (int64_t)(bits ^ 1ull << 63);
}
static void top_k(const struct tensor *t, unsigned char *data[3], int axis, uint64_t k) {
    uint64_t bytes = t[0].type->bits / 8, wide = t[2].type->bits / 8, at[8] = {0};
    struct element *lane = malloc(t[0].size[axis] * sizeof *lane);
    do {
        unsigned char *from = data[0] + place(&t[0], at) * bytes, *value = data[1] + place(&t[1], at) * bytes;
        unsigned char *index = data[2] + place(&t[2], at) * wide;
        for (uint64_t i = 0; i < t[0].size[axis]; i++)
            lane[i] = (struct element){key(t[0].type, from + i * t[0].stride[axis] * bytes), i};
        qsort(lane, t[0].size[axis], sizeof *lane, order);
        for (uint64_t i = 0; i < k; i++) {
            memcpy(value + i * t[1].stride[axis] * bytes, from + lane[i].index * t[0].stride[axis] * bytes, bytes);
            memcpy(index + i * t[2].stride[axis] * wide, &lane[i].index, wide);
        }
    } while (next(&t[0], at, axis));
    free(lane);
}
static int valid(const char *desc, int level, struct tensor t[3], uint64_t axis, uint64_t k) {
    if (!tensor(&t[0], member(desc, "InputTensor"), 0, level) || t[0].type->level > level) return 0;
    if (!tensor(&t[1], member(desc, "OutputValueTensor"), 1, level) || t[1].type != t[0].type) return 0;
    if (!tensor(&t[2], member(desc, "OutputIndexTensor"), 1, level) || t[2].type->name[0] != 'U') return 0;
    if (t[2].type->bits < 32 || (t[2].type->bits == 64 && level < 50)) return 0;
    if (t[1].rank != t[0].rank || t[2].rank != t[0].rank || axis >= (uint64_t)t[0].rank) return 0;
    for (int i = 1; i < 3; i++) for (int d = 0; d < t[0].rank; d++)
        if (t[i].size[d] != (d == (int)axis ? k : t[0].size[d])) return 0;
    return *member(desc, "AxisDirection") == '"' && k >= 1 && k <= t[0].size[axis];
}

int main(void) {
    static const char HELLO[] = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"c\",\"operators\":[\"TOP_K1\"],"
                                "\"feature_level\":\"5.0\",\"can\":[\"create\",\"execute\"]}";
    static const char *NAMES[] = {"InputTensor", "OutputValueTensor", "OutputIndexTensor"};
    char *line = NULL;
    for (int i = 0; i < 64; i++) VALUES[(unsigned char)DIGITS[i]] = i;
    for (size_t room = 0; getline(&line, &room, stdin) > 0; fflush(stdout)) {
        const char *type = member(line, "type"), *desc = member(line, "desc"), *level = member(line, "feature_level");
        if (is(type, "bye")) return 0;
        if (is(type, "hello")) { puts(HELLO); continue; }
        uint64_t axis = number(member(desc, "Axis")), k = number(member(desc, "K")), id = number(member(line, "id"));
        struct tensor t[3];
        unsigned char *data[3];
        int ok = valid(desc, (level[1] - '0') * 10 + level[3] - '0', t, axis, k);
        if (!ok || is(type, "create")) {
            printf("{\"type\":\"%s\",\"id\":%" PRIu64 "}\n", ok ? "created" : "rejected", id);
        } else {
            for (int i = 0; i < 3; i++)
                data[i] = decode(member(member(line, i ? "outputs" : "inputs"), NAMES[i]), t[i].total);
            increasing = is(member(desc, "AxisDirection"), "DML_AXIS_DIRECTION_INCREASING");
            top_k(t, data, axis, k);
            printf("{\"type\":\"executed\",\"id\":%" PRIu64 ",\"outputs\":{", id);
            for (int i = 1; i < 3; i++)
                printf("%s\"%s\":\"", i > 1 ? "\"," : "", NAMES[i]), encode(data[i], t[i].total);
            puts("\"}}");
            for (int i = 0; i < 3; i++) free(data[i]);
        }
    }
}
