// Answers everything and computes nothing: what remains is the cost of asking. It takes every descriptor, and hands
// outputs back as they came, which is what a run measures as the harness's own share.
//   cc -O2 -o /tmp/no_op kernels/adapters/no_op.c && dml-cts run --backend exec:/tmp/no_op --jobs 2 --quiet
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HELLO[] = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"no-op\",\"operators\":[\"TOP_K1\"],"
                            "\"feature_level\":\"5.0\",\"can\":[\"create\",\"execute\"]}";

static int answer(const char *line) { // 0 where nothing more comes
    static const char ID[] = "{\"type\":\"execute\",", OUTPUTS[] = "\"outputs\":{";
    if (!strncmp(line, "{\"type\":\"bye\"", 13)) return 0;
    if (!strncmp(line, "{\"type\":\"hello\"", 15)) return puts(HELLO);
    // The harness writes type and id first.
    const char *id = line + (strncmp(line, ID, strlen(ID)) ? strlen(ID) - 1 : strlen(ID));
    int length = strcspn(id, ",");
    const char *outputs = strstr(id, OUTPUTS);
    if (outputs) return printf("{\"type\":\"executed\",%.*s,%s\n", length, id, outputs); // to the end of the line
    return printf("{\"type\":\"created\",%.*s}\n", length, id);
}

int main(void) {
    size_t room = 1 << 18, held = 0;
    char *data = malloc(room);
    setvbuf(stdout, NULL, _IOFBF, 1 << 18);
    for (ssize_t more; (more = read(0, data + held, room - held)) > 0; fflush(stdout)) {
        char *line = data, *end;
        for (held += more; (end = memchr(line, '\n', data + held - line)); line = end + 1) {
            *end = 0;
            if (!answer(line)) return fflush(stdout);
        }
        memmove(data, line, held -= line - data);
        if (held == room) data = realloc(data, room *= 2);
    }
}
