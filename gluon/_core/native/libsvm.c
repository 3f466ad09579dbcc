/* The text of LibSVM files, in one pass. A line is ``label index:value index:value ...``, its
 * indices ascend; what has another form does not fit.
 *
 *     read_lines   (text, labels, counts, columns, values, odd, found): the label of each line, how
 *                  many values it has, their columns, all less than the integer, and the values.
 *                  The text ends with a line.
 *                  `odd` has three integers for each number that is left to the caller: its place
 *                  among the values, or -1 - its place among the labels, and where it begins and
 *                  ends in the text. `found` counts labels, values and odd numbers
 *
 * Numbers are rounded correctly, as Python's float does. A decimal number of up to 19 digits is an
 * integer of 64 bits times a power of ten. If both are exact as doubles, so is one operation with
 * them (W. D. Clinger, "How to read floating point numbers accurately", 1990). Otherwise the product
 * or the quotient is computed as an integer of 64 bits at least, whose last bit says whether there
 * is a rest; converting that to a double rounds it once.
 */
#include <math.h>

#include "array.h"
#include "variants.h"

enum { DIGITS = 19, EXACT_POWER = 22 }; /* digits of 64 bits; powers of ten exact as doubles */
typedef unsigned __int128 Wide;

static const double POWERS[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t power_of_ten(int64_t power) {
    uint64_t y = 1;
    while (power-- > 0) y *= 10;
    return y;
}

/* whole * 10^power, rounded once; returns whether it could be computed. */
static int scaled(uint64_t whole, int64_t power, double *y) {
    int64_t size = power < 0 ? -power : power;
    if (whole == 0 || (whole <= (uint64_t)1 << 53 && size <= EXACT_POWER)) {
        *y = (double)whole;
        if (whole) *y = power < 0 ? *y / POWERS[size] : *y * POWERS[size];
        return 1;
    }
    if (size > DIGITS) return 0;
    uint64_t factor = power_of_ten(size);
    if (power >= 0) {
        *y = (double)((Wide)whole * factor);
        return 1;
    }
    int left = __builtin_clzll(whole), right = __builtin_clzll(factor);
    Wide given = (Wide)(whole << left) << 63;
    uint64_t divisor = factor << right, quotient = (uint64_t)(given / divisor);
    quotient |= given % divisor != 0;
    *y = ldexp((double)quotient, right - left - 63);
    return 1;
}

static inline int is_digit(unsigned char c) { return (unsigned char)(c - '0') < 10; }
static inline int is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A place in the text. Its last character is the end of a line, so no loop that stops there leaves
 * the text. */
typedef const unsigned char *Place;

static inline Place skip_spaces(Place at) {
    while (is_space(*at) && *at != '\n') at++;
    return at;
}

/* Skip digits, and append them to `whole`, which is right for up to DIGITS of them. */
static inline Place read_digits(Place at, uint64_t *whole) {
    uint64_t y = *whole;
    for (; is_digit(*at); at++) y = y * 10 + (*at - '0');
    *whole = y;
    return at;
}

/* The same for more digits, which may have a point among them: `whole` has the first DIGITS that
 * count, `more` is how many others there are. Returns whether those are zeros. */
static int read_many(Place at, Place end, uint64_t *whole, int64_t *more) {
    int64_t counted = 0;
    int lost = 0;
    *more = 0;
    for (*whole = 0; at < end; at++) {
        if (*at == '.') continue;
        if (counted < DIGITS) {
            *whole = *whole * 10 + (*at - '0');
            counted += *whole != 0;
        } else {
            lost |= *at != '0';
            ++*more;
        }
    }
    return !lost;
}

/* The power after an "e"; NULL unless it is one of a usual size. */
static Place read_power(Place at, int64_t *power) {
    int minus = *at == '-';
    Place from = at += *at == '-' || *at == '+';
    uint64_t whole = 0;
    at = read_digits(at, &whole);
    if (at == from || at - from > 4) return NULL;
    *power += minus ? -(int64_t)whole : (int64_t)whole;
    return at;
}

/* Read a number in a usual form, up to a space; NULL if it is anything else. */
static Place read_number(Place at, double *y) {
    int minus = *at == '-';
    at += *at == '-' || *at == '+';
    uint64_t whole = 0;
    int64_t power = 0, digits, more;
    Place from = at, point;
    at = point = read_digits(at, &whole);
    digits = at - from;
    if (*at == '.') {
        at = read_digits(at + 1, &whole);
        power = -(at - point - 1);
        digits -= power;
    }
    if (!digits) return NULL;
    if (digits > DIGITS) {
        if (!read_many(from, at, &whole, &more)) return NULL;
        power += more;
    }
    if ((*at | 32) == 'e' && !(at = read_power(at + 1, &power))) return NULL;
    if (!is_space(*at) || !scaled(whole, power, y)) return NULL;
    if (minus) *y = -*y;
    return at;
}

typedef struct {
    double *labels, *values;
    int64_t *counts, *columns, *odd;
    int64_t lines, pairs, odds; /* how many there are */
    int64_t room_for_lines, room_for_pairs, room_for_odds;
    int64_t width;
    Place begin;
} Found;

/* Read the number of a label or value, at `place` as in `odd`, or note where it is; NULL if there is
 * nothing that may be one. */
static Place read_or_note(Place from, Found *f, int64_t place, double *y) {
    Place at = read_number(from, y);
    if (at) return at;
    for (at = from; !is_space(*at); at++)
        if (*at == ':') return NULL;
    if (at == from || f->odds == f->room_for_odds) return NULL;
    int64_t *note = f->odd + 3 * f->odds++;
    note[0] = place, note[1] = from - f->begin, note[2] = at - f->begin;
    *y = 0;
    return at;
}

/* Read index:value; NULL unless it fits. */
static inline Place read_pair(Place from, Found *f, int64_t *last) {
    uint64_t column = 0;
    Place at = read_digits(from, &column);
    if (at == from || at - from > DIGITS || *at != ':' || f->pairs == f->room_for_pairs) return NULL;
    if (column >= (uint64_t)f->width || (int64_t)column <= *last) return NULL;
    f->columns[f->pairs] = *last = (int64_t)column;
    at = read_or_note(at + 1, f, f->pairs, f->values + f->pairs);
    f->pairs++;
    return at;
}

/* Read a line up to its end; NULL unless it fits. */
static Place read_line(Place at, Found *f) {
    at = skip_spaces(at);
    if (*at == '\n') return at;
    if (f->lines == f->room_for_lines) return NULL;
    at = read_or_note(at, f, -1 - f->lines, f->labels + f->lines);
    int64_t first = f->pairs, last = -1;
    while (at && *(at = skip_spaces(at)) != '\n') at = read_pair(at, f, &last);
    f->counts[f->lines++] = f->pairs - first;
    return at;
}

enum outcome read_lines_arrays(const Call *call) {
    const Array *x = call->array;
    if (call->arrays != 7 || call->integers != 1 || call->integer[0] < 1) return DOES_NOT_FIT;
    int64_t size = size_of(x), lines = size_of(x + 1), pairs = size_of(x + 3);
    int64_t odds = size_of(x + 5);
    if (size < 1 || !holds(x, UINT8, size) || !takes(x + 1, FLOAT64, lines) ||
        !takes(x + 2, INT64, lines) || !takes(x + 3, INT64, pairs) ||
        !takes(x + 4, FLOAT64, pairs) || !takes(x + 5, INT64, odds) || !takes(x + 6, INT64, 3))
        return DOES_NOT_FIT;
    Place at = (Place)x[0].data, end = at + size;
    if (end[-1] != '\n') return DOES_NOT_FIT;
    Found f = {.labels = (double *)x[1].data, .counts = (int64_t *)x[2].data,
               .columns = (int64_t *)x[3].data, .values = (double *)x[4].data,
               .odd = (int64_t *)x[5].data, .room_for_lines = lines, .room_for_pairs = pairs,
               .room_for_odds = odds / 3, .width = call->integer[0], .begin = at};
    for (; at < end; at++)
        if (!(at = read_line(at, &f))) return DOES_NOT_FIT;
    int64_t *found = (int64_t *)x[6].data;
    found[0] = f.lines, found[1] = f.pairs, found[2] = f.odds;
    return DONE;
}
