// Answers everything and computes nothing: what remains is the cost of asking. It takes every descriptor, and hands
// outputs back as they came, which is what a run measures as the harness's own share.
//   cc -O2 -o /tmp/no_op kernels/adapters/no_op.c && dml-cts run --backend exec:/tmp/no_op --jobs 2 --quiet
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELLO[] = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"no-op\",\"operators\":[\"TOP_K1\"],"
                            "\"feature_level\":\"5.0\",\"can\":[\"create\",\"execute\"]}";

int main(void) {
    char *line = NULL;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    for (size_t room = 0; getline(&line, &room, stdin) > 0; fflush(stdout)) {
        const char *id = strstr(line, "\"id\":"), *outputs = strstr(line, "\"outputs\":{");
        if (strstr(line, "\"type\":\"bye\"")) return 0;
        if (!id) puts(HELLO);
        else if (outputs) printf("{\"type\":\"executed\",%.*s,%.*s}\n", (int)strcspn(id, ",}"), id,
                                 (int)(strchr(outputs, '}') - outputs + 1), outputs);
        else printf("{\"type\":\"created\",%.*s}\n", (int)strcspn(id, ",}"), id);
    }
}
