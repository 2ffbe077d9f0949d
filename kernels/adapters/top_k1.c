// TOP_K1 in C: a whole program for dml-cts, on a little-endian machine, with nothing but libc. Try it:
//   cc -O2 -o /tmp/top_k1 kernels/adapters/top_k1.c && dml-cts run --backend exec:/tmp/top_k1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// JSON: a value is a pointer to its first character. The harness writes neither spaces nor escapes.
static const char *skip(const char *v) { // what stands behind a value
    if (*v == '"') return v + 2 + strcspn(v + 1, "\"");
    if (*v != '{' && *v != '[') return v + strcspn(v, ",]}");
    for (v++; *v && *v != '}' && *v != ']'; v += *v == ',' || *v == ':') v = skip(v);
    return v + 1;
}
static const char *member(const char *object, const char *key) { // the value of a member
    for (const char *name = object + 1; *name == '"'; name += *name == ',') {
        const char *value = skip(name) + 1;
        if (!strncmp(name + 1, key, strlen(key)) && name[1 + strlen(key)] == '"') return value;
        name = skip(value);
    }
    return "null";
}
static uint64_t number(const char *v) { return strtoull(v + (*v == '"'), NULL, 10); } // large ones are strings
static int numbers(const char *v, uint64_t *into, int most) { // how many; as many as fit are stored
    int count = 0;
    for (v++; *v && *v != ']'; v += *v == ',', count++) {
        if (count < most) into[count] = number(v);
        v = skip(v);
    }
    return count;
}

// Base64
static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static unsigned char *decode(const char *v, uint64_t bytes) {
    unsigned char *data = malloc(bytes + 3), value[256] = {0};
    for (int i = 0; i < 64; i++) value[(unsigned char)DIGITS[i]] = i;
    for (uint64_t at = 0; at < bytes; at += 3, v += 4) {
        const unsigned char *q = (const unsigned char *)v + 1;
        uint32_t bits = (uint32_t)value[q[0]] << 18 | value[q[1]] << 12 | value[q[2]] << 6 | value[q[3]];
        data[at] = bits >> 16, data[at + 1] = bits >> 8, data[at + 2] = bits;
    }
    return data;
}
static void encode(const unsigned char *data, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += 3) {
        uint64_t left = bytes - at;
        uint32_t bits = data[at] << 16 | (left > 1 ? data[at + 1] << 8 : 0) | (left > 2 ? data[at + 2] : 0);
        putchar(DIGITS[bits >> 18]), putchar(DIGITS[bits >> 12 & 63]);
        putchar(left > 1 ? DIGITS[bits >> 6 & 63] : '='), putchar(left > 2 ? DIGITS[bits & 63] : '=');
    }
}

// Tensors
static const struct type { const char *name; int bits; char kind; int level; } TYPES[] = { // level: first for values
    {"FLOAT32", 32, 'f', 21}, {"FLOAT16", 16, 'f', 21}, {"INT32", 32, 'i', 21}, {"INT16", 16, 'i', 21},
    {"INT8", 8, 'i', 21}, {"UINT32", 32, 'u', 21}, {"UINT16", 16, 'u', 21}, {"UINT8", 8, 'u', 21},
    {"INT64", 64, 'i', 50}, {"UINT64", 64, 'u', 50}};
struct tensor { const struct type *type; int rank; uint64_t size[8], stride[8], total, flags, align; };

static int overlaps(const struct tensor *t, uint64_t reach) { // whether two elements share a place: all are visited
    unsigned char *seen = calloc(reach / 8 + 1, 1);
    uint64_t at[8] = {0}, place = 0;
    int shared = 0, d = 0;
    while (d >= 0 && !(shared = seen[place / 8] >> place % 8 & 1)) {
        seen[place / 8] |= 1 << place % 8;
        for (d = t->rank - 1; d >= 0 && ++at[d] == t->size[d]; d--) place -= (at[d] - 1) * t->stride[d], at[d] = 0;
        if (d >= 0) place += t->stride[d];
    }
    return free(seen), shared;
}
static int tensor(struct tensor *t, const char *v, int output, int level) { // reads one; whether it is valid
    const char *type = member(v, "DataType"), *sizes = member(v, "Sizes"), *strides = member(v, "Strides");
    t->type = NULL;
    for (size_t i = 0; *type == '"' && i < sizeof TYPES / sizeof *TYPES; i++)
        if (!strncmp(type + 1, TYPES[i].name, skip(type) - type - 2) && !TYPES[i].name[skip(type) - type - 2])
            t->type = &TYPES[i];
    if (*sizes != '[' || !t->type) return 0;
    t->rank = numbers(sizes, t->size, 8);
    t->total = number(member(v, "TotalTensorSizeInBytes")), t->flags = number(member(v, "Flags"));
    t->align = number(member(v, "GuaranteedBaseOffsetAlignment"));
    if (t->rank < 1 || t->rank > 8 || (level < 31 && t->rank != 4)) return 0;
    if (*strides == '[' && numbers(strides, t->stride, 8) != t->rank) return 0;
    double reach = 1, packed = 1; // exact as far as it matters: a tensor has less than 2^32 elements
    for (int d = t->rank - 1; d >= 0; packed *= t->size[d--]) {
        if (*strides != '[') t->stride[d] = packed < 1e18 ? packed : 0;
        if (!t->size[d]) return 0;
        if (output && t->size[d] > 1 && !t->stride[d] && *strides == '[') return 0;
        reach += (t->size[d] - 1.0) * t->stride[d];
    }
    if (*strides != '[') reach = packed;
    uint64_t bytes = t->type->bits / 8;
    if (t->total / bytes > UINT32_MAX || reach * bytes > t->total || (uint64_t)(reach * bytes + 3) / 4 * 4 > t->total)
        return 0;
    if (t->flags > !output || t->align & (t->align - 1) || (t->align && t->align < 16)) return 0;
    return !(output && *strides == '[' && overlaps(t, reach));
}

// The operator
static int64_t sign; // 1 where the smallest come first, else -1
struct element { int64_t key; uint64_t index; };
static int order(const void *a, const void *b) { // equal ones by ascending index
    const struct element *x = a, *y = b;
    if (x->key != y->key) return (x->key < y->key) == (sign > 0) ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}
static int64_t key(const struct type *type, const unsigned char *data) { // a number that orders as the element does
    uint64_t bits = 0, top = 1ull << (type->bits - 1);
    memcpy(&bits, data, type->bits / 8);
    if (type->kind == 'f') return bits & top ? -(int64_t)(bits ^ top) : (int64_t)bits; // both zeros are 0
    return type->kind == 'i' ? (int64_t)(bits ^ top) - (int64_t)top : (int64_t)(bits ^ 1ull << 63);
}
static void top_k(struct tensor t[3], unsigned char *data[3], uint64_t axis, uint64_t k) {
    uint64_t bytes = t[0].type->bits / 8, length = t[0].size[axis], at[8] = {0}, place[3] = {0};
    struct element *lane = malloc(length * sizeof *lane);
    for (int d = 0; d >= 0;) {
        for (uint64_t i = 0; i < length; i++)
            lane[i] = (struct element){key(t[0].type, data[0] + (place[0] + i * t[0].stride[axis]) * bytes), i};
        qsort(lane, length, sizeof *lane, order);
        for (uint64_t i = 0; i < k; i++) {
            const unsigned char *from = data[0] + (place[0] + lane[i].index * t[0].stride[axis]) * bytes;
            uint64_t wide = t[2].type->bits / 8;
            memcpy(data[1] + (place[1] + i * t[1].stride[axis]) * bytes, from, bytes);
            memcpy(data[2] + (place[2] + i * t[2].stride[axis]) * wide, &lane[i].index, wide);
        }
        for (d = t[0].rank - 1; d >= 0; d--) { // on to the next lane
            if (d == (int)axis) continue;
            for (int i = 0; i < 3; i++) place[i] += t[i].stride[d];
            if (++at[d] < t[0].size[d]) break;
            for (int i = 0; i < 3; i++) place[i] -= at[d] * t[i].stride[d];
            at[d] = 0;
        }
    }
    free(lane);
}
static int valid(const char *desc, int level, struct tensor t[3], uint64_t axis, uint64_t k) {
    const char *direction = member(desc, "AxisDirection");
    if (!tensor(&t[0], member(desc, "InputTensor"), 0, level) || t[0].type->level > level) return 0;
    if (!tensor(&t[1], member(desc, "OutputValueTensor"), 1, level) || t[1].type != t[0].type) return 0;
    if (!tensor(&t[2], member(desc, "OutputIndexTensor"), 1, level) || t[2].type->kind != 'u') return 0;
    if (t[2].type->bits != 32 && (t[2].type->bits != 64 || level < 50)) return 0;
    if (t[1].rank != t[0].rank || t[2].rank != t[0].rank || axis >= (uint64_t)t[0].rank || *direction != '"') return 0;
    for (int i = 1; i < 3; i++)
        for (int d = 0; d < t[0].rank; d++)
            if (t[i].size[d] != (d == (int)axis ? k : t[0].size[d])) return 0;
    return k >= 1 && k <= t[0].size[axis];
}

int main(void) {
    static const char *HELLO = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"c\",\"version\":\"1\",\"operators\":[\"TOP_K1\"],"
                               "\"feature_level\":\"5.0\",\"levels\":\"strict\",\"can\":[\"create\",\"execute\"]}";
    static const char *NAMES[] = {"InputTensor", "OutputValueTensor", "OutputIndexTensor"};
    char *line = NULL;
    for (size_t room = 0; getline(&line, &room, stdin) > 0; fflush(stdout)) {
        const char *type = member(line, "type") + 1, *desc = member(line, "desc"), *level = member(line, "feature_level");
        if (!strncmp(type, "bye\"", 4)) break;
        if (!strncmp(type, "hello\"", 6)) { puts(HELLO); continue; }
        uint64_t id = number(member(line, "id")), axis = number(member(desc, "Axis")), k = number(member(desc, "K"));
        struct tensor t[3];
        unsigned char *data[3];
        if (!valid(desc, (level[1] - '0') * 10 + level[3] - '0', t, axis, k)) {
            printf("{\"type\":\"rejected\",\"id\":%llu}\n", (unsigned long long)id);
        } else if (!strncmp(type, "create\"", 7)) {
            printf("{\"type\":\"created\",\"id\":%llu}\n", (unsigned long long)id);
        } else {
            for (int i = 0; i < 3; i++) data[i] = decode(member(member(line, i ? "outputs" : "inputs"), NAMES[i]), t[i].total);
            sign = strstr(member(desc, "AxisDirection"), "INCREASING") ? 1 : -1;
            top_k(t, data, axis, k);
            printf("{\"type\":\"executed\",\"id\":%llu,\"outputs\":{", (unsigned long long)id);
            for (int i = 1; i < 3; i++) printf("%s\"%s\":\"", i > 1 ? "," : "", NAMES[i]), encode(data[i], t[i].total), fputs("\"", stdout);
            puts("}}");
            for (int i = 0; i < 3; i++) free(data[i]);
        }
    }
}
