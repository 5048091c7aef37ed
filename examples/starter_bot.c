/* A bot to start from, in C, without a JSON library: it only reads the list of its legal moves.
 *
 *     cc -O2 -o build/starter_bot examples/starter_bot.c
 *     cabochon check-engine build/starter_bot
 *
 * Messages come and go as JSON, one on each line. `position` ends with "legal":["take wug",...];
 * `go` asks for one of them. Change `choose`, and you have a bot of your own. */
#include <stdio.h>
#include <string.h>

#define MOST_MOVES 128
#define LONGEST 64

static char line[1 << 16], moves[MOST_MOVES][LONGEST];
static int count;

/* The strings of the list after "legal": no move has a quote or a backslash in it. */
static void read_legal(void) {
    char *at = strstr(line, "\"legal\": ["), *end;
    count = 0;
    if (at == NULL) return;
    at = strchr(at, '[') + 1;
    while (*at != ']' && *at != '\0' && count < MOST_MOVES) {
        if (*at++ != '"') continue;
        end = strchr(at, '"');
        snprintf(moves[count++], LONGEST, "%.*s", (int)(end - at), at);
        at = end + 1;
    }
}

/* The dearest card it can buy; else the most tokens; else whatever comes first. */
static const char *choose(void) {
    const char *buy = NULL, *take = NULL;
    for (int i = 0; i < count; i++) {
        if (strncmp(moves[i], "buy ", 4) == 0 && (!buy || strcmp(moves[i], buy) > 0)) buy = moves[i];
        if (strncmp(moves[i], "take ", 5) == 0 && (!take || strlen(moves[i]) > strlen(take)))
            take = moves[i];
    }
    return buy ? buy : take ? take : moves[0];
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\": \"hello\""))
            puts("{\"type\": \"id\", \"name\": \"starter\", \"options\": []}");
        else if (strstr(line, "\"type\": \"position\""))
            read_legal();
        else if (strstr(line, "\"type\": \"go\""))
            printf("{\"type\": \"bestmove\", \"move\": \"%s\"}\n", choose());
        else if (strstr(line, "\"type\": \"quit\""))
            return 0;
    }
    return 0;
}
