// Operations on a million pairs of doubles each, and one line for each operation: its name, and a digest of all results.
//
// scripts/firmware --arithmetic runs this on the host, whose processor has doubles, and on the emulated chip, whose
// library computes them: the lines must be the same. The pairs are drawn so that they meet what is seldom: subnormal
// numbers, exponents that lie up to 70 apart, few bits set, halves, ties, numbers that are nearly equal.
#include <stdint.h>

int putchar(int character);
double fmod(double, double), remainder(double, double), sqrt(double);
double trunc(double), rint(double), round(double), floor(double), ceil(double);
#ifdef __arm__
char *_swift_stdlib_strtod_clocale(const char *text, double *value);
static double decimal(const char *text) {
    double value;
    _swift_stdlib_strtod_clocale(text, &value);
    return value;
}
#else
double strtod(const char *text, char **end);
static double decimal(const char *text) { return strtod(text, 0); }
#endif

union number {
    uint64_t bits;
    double value;
};

static uint64_t state;

// xorshift64*. Source: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016.
static uint64_t draw(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1D;
}

static uint64_t draw_one(void) {
    static const uint64_t edges[] = {
        0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FE0000000000000, 0x3FF0000000000000,
        0x4330000000000000, 0x4340000000000000, 0x43E0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
        0x7FF8000000000000,
    };
    const uint64_t bits = draw();
    union number whole = {.value = (double)(int64_t)(bits >> (bits & 63))};
    switch (draw() % 8) {
        case 0: return bits;
        case 1: return bits & 0x800FFFFFFFFFFFFF;
        case 2: return edges[bits % (sizeof edges / sizeof edges[0])] | (bits & 1ull << 63);
        case 3: return whole.bits;
        case 4: whole.value = (double)(int64_t)(bits % 4000000) / 2 - 1000000; return whole.bits;
        case 5: return bits & ~((1ull << (draw() % 52)) - 1);
        default: return (bits & 0x800FFFFFFFFFFFFF) | (1023 - 40 + draw() % 80) << 52;
    }
}

static uint64_t draw_other(uint64_t one) {
    switch (draw() % 3) {
        case 0: return one ^ draw() >> (12 + draw() % 52);
        case 1: return (draw_one() & ~(0x7FFull << 52)) | (((one >> 52) + draw() % 140 - 70) & 0x7FF) << 52;
        default: return draw_one();
    }
}

static double compute(int operation, union number one, union number other) {
    const double a = one.value, b = other.value;
    switch (operation) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        case 3: return a / b;
        case 4: return sqrt(a);
        case 5: return (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a > b) + 16 * (a >= b) + 32 * (a != b);
        case 6: return trunc(a) + rint(b);
        case 7: return floor(a) - ceil(b);
        case 8: return round(a);
        case 9: return (double)(int64_t)one.bits - (double)other.bits + (double)(int32_t)one.bits;
        case 10: return a > -9e18 && a < 9e18 ? (double)(int64_t)(a) + (double)(uint64_t)(a < 0 ? -a : a) : 0;
        case 11: return (double)(float)a;
        default: return fmod(a, (double)(other.bits % 1000 + 1) * 0.125) + remainder(a, 360);
    }
}

// A decimal number of up to 40 digits with an exponent, in what stands before `end`.
static const char *write_decimal(char *end) {
    *--end = 0;
    int power = (int)(draw() % 640) - 320;
    const int isNegative = power < 0;
    if (isNegative) power = -power;
    do *--end = (char)('0' + power % 10);
    while (power /= 10);
    if (isNegative) *--end = '-';
    *--end = 'e';
    const int digits = 1 + (int)(draw() % 40), point = (int)(draw() % (uint64_t)digits);
    for (int digit = 0; digit < digits; digit++) {
        if (digit && digit == point) *--end = '.';
        *--end = (char)('0' + draw() % 10);
    }
    return end;
}

static const char *const names[] = {
    "sum", "difference", "product", "quotient", "root", "comparison", "trunc and rint", "floor and ceil", "round",
    "from whole numbers", "to whole numbers", "single precision", "remainders", "decimal text",
};

int main(int count, char **arguments) {
    (void)count;
    (void)arguments;
    enum { operations = sizeof names / sizeof names[0], pairs = 1000000 };
    for (int operation = 0; operation < operations; operation++) {
        uint64_t digest = 0xCBF29CE484222325;
        state = 0x9E3779B97F4A7C15 + (uint64_t)operation;
        const int isText = operation == operations - 1;
        for (int pair = 0; pair < (isText ? pairs / 100 : pairs); pair++) {
            char text[64];
            union number one = {.bits = draw_one()}, other = {.bits = draw_other(one.bits)}, result;
            result.value = isText ? decimal(write_decimal(text + sizeof text)) : compute(operation, one, other);
            // Which NaN a NaN is, the standard leaves open.
            if (result.value != result.value) result.bits = 0x7FF8000000000000;
            digest = (digest ^ result.bits) * 0x100000001B3;
        }
        for (const char *letter = names[operation]; *letter; letter++) putchar(*letter);
        putchar(' ');
        for (int place = 60; place >= 0; place -= 4) putchar("0123456789abcdef"[digest >> place & 15]);
        putchar('\n');
    }
    return 0;
}
