/* text_statistics.c - see text_statistics.h. */
#include "fit/text_statistics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/error.h"
#include "base/utf8.h"

/* The set of the characters that have occurred in the text. */
typedef struct character_set {
    unsigned char *bits; /* bitmap of characters above ASCII; owned; length: UTF8_CODE_POINTS */
    bool ascii[128];     /* [c]: c has occurred; not bits, because most characters are ASCII */
} character_set;

/* Counts of one line. */
typedef struct line_reading {
    uint64_t characters, words, spaceless, commas, tabs;
    bool in_word;
    uint32_t last; /* the last character that is not a space or tab; 0 if none */
} line_reading;

/* Hashes of the names of the last two different speakers; 0 before a speaker occurs. */
typedef struct speakers {
    uint64_t last, other;
} speakers;

/* Whether the script of a character has no spaces between words: Thai, Lao, Khmer, Myanmar, kana,
 * Han. */
static bool is_spaceless(uint32_t code) {
    return (code >= 0x0E00 && code <= 0x0EFF) || (code >= 0x1000 && code <= 0x109F) ||
           (code >= 0x1780 && code <= 0x17FF) || (code >= 0x3040 && code <= 0x30FF) ||
           (code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0x20000 && code <= 0x3FFFF);
}

static bool is_among(uint32_t code, const uint32_t *marks) {
    while (*marks && *marks != code) {
        marks++;
    }
    return code && *marks;
}

/* Marks at the end of a sentence: full stop, exclamation and question mark, ellipsis; ideographic,
 * fullwidth, Arabic and Devanagari marks; closing quotes. Each list ends with 0. */
static const uint32_t SENTENCE_ENDS[] = {'.',    '!',    '?',    0x2026, 0x3002, 0xFF01,
                                         0xFF1F, 0x061F, 0x06D4, 0x0964, 0x0965, '"',
                                         0x201D, 0x300D, 0x300F, 0xBB,   0};
static const uint32_t OPEN_ENDS[] = {',',    ';',    ':',    '-',    0x2013, 0x2014,
                                     0xFF0C, 0x3001, 0xFF1B, 0x060C, 0};
static const uint32_t CODE_ENDS[] = {'{', '}', ';', '(', ')', '>', 0};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Returns the length in bytes of a date or time at the beginning of a line, including brackets
 * around it and a dash after it; 0 without one. A date or time has at least three digits and a
 * separator. */
static size_t stamp_length(const char *line, size_t length) {
    size_t at = 0, digits = 0, separators = 0;
    // Some chat exports write U+200E (left-to-right mark) before the date.
    if (length > 3 && memcmp(line, "\xE2\x80\x8E", 3) == 0) {
        at = 3;
    }
    at += at < length && (line[at] == '[' || line[at] == '(');
    for (; at < length; at++) {
        if (is_digit(line[at])) {
            digits++;
        } else if (digits && strchr(":./-, []()", line[at])) {
            separators += strchr(":./-", line[at]) != NULL;
        } else if (digits >= 3 && (line[at] == 'T' || line[at] == 'Z')) {
            separators++;
        } else {
            break;
        }
    }
    return digits >= 3 && separators ? at : 0;
}

/* Returns the offset of a speaker's name after the first "- " of `line`, the part of a line after
 * its time: 8 for "p. m. - Ada: hi". 0 if no "- " begins in the first FARTHEST bytes. */
static size_t dash_length(const char *line, size_t length) {
    enum { FARTHEST = 16 };
    for (size_t at = 0; at + 2 < length && at < FARTHEST; at++) {
        if (line[at] == '-' && line[at + 1] == ' ') {
            return at + 2;
        }
    }
    return 0;
}

/* Whether the line is a name with a date and time, as in "Ada, [10.07.16 18:00]". */
static bool is_dated_name(const char *line, size_t length) {
    const char *comma = memchr(line, ',', length);
    size_t at = comma ? (size_t)(comma - line) : length;
    return at > 0 && at + 3 < length && line[at + 2] == '[' && is_digit(line[at + 3]) &&
           line[length - 1] == ']';
}

/* Returns the first occurrence of `part` in the bytes from..end-1; NULL if it does not occur. */
static const char *find(const char *from, const char *end, const char *part) {
    size_t length = strlen(part);
    for (; length <= (size_t)(end - from); from++) {
        if (memcmp(from, part, length) == 0) {
            return from;
        }
    }
    return NULL;
}

/* Whether the line is a KakaoTalk message: "2024년 3월 12일 오후 6:04, 민수 : 안녕" or
 * "[민수] [오후 6:04] 안녕". */
static bool is_kakao(const char *line, size_t length) {
    enum { FARTHEST = 96 };
    const char *end = line + (length < FARTHEST ? length : FARTHEST);
    const char *minute = line[0] == '[' ? find(line, end, "] [") : line;
    minute = minute ? find(minute, end, ":") : NULL;
    if (!minute || minute + 4 > end || !is_digit(minute[1]) || !is_digit(minute[2])) {
        return false;
    }
    if (line[0] == '[') { // a bracketed time with seconds is from a log file, not from a chat
        return minute[3] != ':' && find(minute, end, "] ");
    }
    const char *name = find(minute, end, ", ");
    return find(line, end, "\xEB\x85\x84 ") == line + 4 && name && find(name, end, " : ");
}

/* Returns the offset of the colon or > after a speaker's name at the beginning of a line, as in
 * "Ada: hi" (3) or "<Ada> hi" (4); 0 without such a name. A name has at most four words. */
static size_t speaker_length(const char *line, size_t length) {
    enum { LONGEST_NAME = 40 };
    size_t words = 1, at = 0;
    bool angled = length && line[0] == '<';
    // Fast exit for most lines: no colon or > within the longest name.
    if (!memchr(line, angled ? '>' : ':', length <= LONGEST_NAME ? length : LONGEST_NAME + 1)) {
        return 0;
    }
    for (; at < length && at < LONGEST_NAME && line[at] != ':' && line[at] != '>'; at++) {
        words += line[at] == ' ';
        if (strchr(",.;{}()=\"/", line[at])) {
            return 0;
        }
    }
    bool speaks = at > 1 && at + 2 < length && line[at] == (angled ? '>' : ':') &&
                  line[at + 1] == ' ' && words <= 4;
    return speaks ? at : 0;
}

/* Whether the text after a date is a name alone: at most three words, without punctuation. */
static bool is_name(const char *line, size_t length) {
    size_t words = length > 0;
    for (size_t at = 0; at < length; at++) {
        words += line[at] == ' ';
        if (strchr(",;=\"/{}", line[at])) {
            return false;
        }
    }
    return words > 0 && words <= 3;
}

/* Counts a line of the speaker `name`; `two` are the last two speakers. */
static void note_speaker(line_marks *m, speakers *two, const char *name, size_t length) {
    uint64_t hash = hash_fnv1a(name, length);
    m->named++;
    m->answers += hash == two->last || hash == two->other;
    if (hash != two->last) {
        m->turns++;
        two->other = two->last;
        two->last = hash;
    }
}

static void count_marks(line_marks *m, speakers *two, const char *line, size_t length,
                        uint32_t last) {
    m->sentence_ends += is_among(last, SENTENCE_ENDS);
    m->open_ends += is_among(last, OPEN_ENDS);
    m->code_ends += is_among(last, CODE_ENDS);
    m->indented += line[0] == ' ' || line[0] == '\t';
    m->records += line[0] == '{' && last == '}';
    m->fields += length > 2 && line[1] == ':';
    size_t stamp = stamp_length(line, length);
    bool dated = is_dated_name(line, length) || is_kakao(line, length);
    m->stamps += stamp > 0;
    size_t name = stamp + (stamp ? dash_length(line + stamp, length - stamp) : 0);
    size_t spoken = speaker_length(line + name, length - name);
    // "Flour: 200 g" is a quantity, not speech.
    bool speaks = spoken && (stamp || !is_digit(line[spoken + 2]));
    if (speaks && !stamp && !dated) {
        note_speaker(m, two, line, spoken);
    }
    m->dated_speakers += dated || (stamp && speaks);
    m->speakers += dated || speaks || (stamp && is_name(line + name, length - name));
}

static void note_character(text_statistics *s, character_set *seen, line_reading *line,
                           uint32_t code) {
    unsigned char bit = (unsigned char)(1u << code % 8);
    s->distinct += !(seen->bits[code / 8] & bit);
    seen->bits[code / 8] |= bit;
    s->beyond_ascii++;
    line->characters++;
    if (is_spaceless(code)) {
        line->spaceless++;
        line->in_word = false;
    } else if (!line->in_word) {
        line->words++;
        line->in_word = true;
    }
    line->last = code;
}

static void note_ascii(line_reading *line, unsigned char byte) {
    line->characters++;
    bool blank = byte == ' ' || byte == '\t';
    line->words += !blank && !line->in_word;
    line->in_word = !blank;
    line->commas += byte == ',';
    line->tabs += byte == '\t';
    line->last = blank ? line->last : byte;
}

static void read_line(text_statistics *s, character_set *seen, const char *text, size_t length,
                      line_reading *line) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        if (*at < 0x80) {
            seen->ascii[*at] = true;
            note_ascii(line, *at++);
        } else {
            utf8_symbol symbol = utf8_next(at, (size_t)(end - at));
            note_character(s, seen, line, symbol.code);
            at += symbol.length;
        }
    }
}

/* Adds a line that is not blank to the counts. `first` is set to the counts of the first such line;
 * later lines are compared with its number of commas and tabs. */
static void add_line(text_statistics *s, speakers *two, const line_reading *line,
                     line_reading *first, const char *text, size_t length) {
    if (s->lines == 0) {
        *first = *line;
    }
    s->lines++;
    s->words += line->words + (line->spaceless + 2) / 3;
    s->longest = line->characters > s->longest ? line->characters : s->longest;
    s->length[line->characters < LINE_LENGTHS ? line->characters : LINE_LENGTHS]++;
    s->same_separators += (first->commas >= 2 && line->commas == first->commas) ||
                          (first->tabs >= 1 && line->tabs == first->tabs);
    count_marks(&s->marks, two, text, length, line->last);
}

int text_statistics_read(text_statistics *s, const char *text, size_t bytes) {
    memset(s, 0, sizeof *s);
    character_set seen = {.bits = calloc(UTF8_CODE_POINTS / 8, 1)};
    if (!seen.bits) {
        return GPT_E_ALLOCATION;
    }
    s->bytes = bytes;
    line_reading first = {0};
    speakers two = {0};
    for (size_t from = 0; from < bytes;) {
        const char *end = memchr(text + from, '\n', bytes - from);
        size_t whole = end ? (size_t)(end - text) - from : bytes - from, length = whole;
        while (length && text[from + length - 1] == '\r') {
            length--;
        }
        line_reading line = {0};
        read_line(s, &seen, text + from, length, &line);
        s->characters += line.characters + (whole - length) + (end ? 1 : 0);
        s->line_breaks += (whole - length) + (end ? 1 : 0);
        if (line.words + line.spaceless) {
            add_line(s, &two, &line, &first, text + from, length);
        } else {
            s->blank_lines++;
        }
        from += whole + (end ? 1 : 0);
    }
    for (int i = 0; i < 128; i++) {
        s->distinct += seen.ascii[i];
    }
    s->distinct += s->line_breaks > 0;
    free(seen.bits);
    return GPT_OK;
}

uint64_t text_statistics_beyond(const text_statistics *s, int most) {
    uint64_t beyond = 0;
    for (int i = most + 1; i < LINE_LENGTHS; i++) {
        beyond += s->length[i] * (uint64_t)(i - most);
    }
    // Lines of LINE_LENGTHS characters or more share one counter: take each as the longest line.
    return beyond + s->length[LINE_LENGTHS] * (s->longest - (uint64_t)most);
}

uint64_t text_statistics_longer(const text_statistics *s, int most) {
    uint64_t longer = 0;
    for (int i = most + 1; i <= LINE_LENGTHS; i++) {
        longer += s->length[i];
    }
    return longer;
}
