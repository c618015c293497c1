// Double precision in software: what the compiler calls where the processor has no such arithmetic, and the functions of
// a C library that the Engine's rooms use. Numbers come and go as their bits, in the same registers as doubles do.
//
// Every result is exact, or rounded once to the nearest, ties to even. Which NaN a NaN is, is not kept.
// Source: IEEE 754-2019, sections 3.4, 4.3, 5; Arm, "Run-time ABI for the Arm Architecture", IHI 0043, section 4.1.
#include "library.h"

#define SIGN (1ull << 63)
#define INFINITE (0x7FFull << 52)
#define NOT_A_NUMBER (INFINITE | 1ull << 51)
#define IMPLICIT (1ull << 52)

static int is_nan(uint64_t bits) { return (bits & ~SIGN) > INFINITE; }
static int is_infinite(uint64_t bits) { return (bits & ~SIGN) == INFINITE; }
static int exponent_of(uint64_t bits) { return bits >> 52 & 0x7FF; }

// To the right, with a last bit that says whether any bit was lost.
static uint64_t shift_out(uint64_t value, int places) {
    if (places <= 0) return value;
    if (places >= 64) return value != 0;
    return value >> places | ((value << (64 - places)) != 0);
}

static int leading_zeros(uint64_t value) {
    return value >> 32 ? __builtin_clz(value >> 32) : 32 + __builtin_clz((uint32_t)value);
}

// A number whose significand begins at bit 62, at this biased exponent; ten bits are rounded away.
static uint64_t round_at_62(uint64_t sign, int exponent, uint64_t significand) {
    if (exponent >= 0x7FF) return sign | INFINITE;
    const int is_normal = exponent > 0;
    if (!is_normal) significand = shift_out(significand, 1 - exponent);
    // A half is rounded up behind an odd bit alone.
    significand = (significand + 0x1FF + (significand >> 10 & 1)) >> 10;
    // The leading bit adds 1 to the exponent, and so does a carry.
    return sign | (significand + (is_normal ? (uint64_t)(exponent - 1) << 52 : 0));
}

// The same, wherever a significand that is not 0 begins.
static uint64_t rounded(uint64_t sign, int exponent, uint64_t significand) {
    const int places = leading_zeros(significand) - 1;
    if (places < 0) return round_at_62(sign, exponent + 1, shift_out(significand, 1));
    return round_at_62(sign, exponent - places, significand << places);
}

// The significand of a finite number that is not 0, its leading bit at 52, and the exponent that belongs to it.
static uint64_t normal(uint64_t bits, int *exponent) {
    const uint64_t fraction = bits & (IMPLICIT - 1);
    *exponent = exponent_of(bits);
    if (*exponent) return fraction | IMPLICIT;
    const int places = leading_zeros(fraction) - 11;
    *exponent = 1 - places;
    return fraction << places;
}

uint64_t chip_rounded(int exponent, uint64_t significand) { return rounded(0, exponent, significand); }

uint64_t __aeabi_dadd(uint64_t a, uint64_t b) {
    if ((a & ~SIGN) < (b & ~SIGN)) {
        const uint64_t smaller = a;
        a = b;
        b = smaller;
    }
    const uint64_t sign = a & SIGN, differ = (a ^ b) & SIGN;
    int exponent = exponent_of(a), other = exponent_of(b);
    if (exponent == 0x7FF) return is_nan(a) || (differ && is_infinite(b)) ? NOT_A_NUMBER : a;
    uint64_t great = (a & (IMPLICIT - 1)) << 10, small = (b & (IMPLICIT - 1)) << 10;
    if (exponent) great |= IMPLICIT << 10;
    else exponent = 1;
    if (other) small |= IMPLICIT << 10;
    else other = 1;
    small = shift_out(small, exponent - other);
    if (!differ) {
        const uint64_t sum = great + small;
        // Below bit 62 only where both are below the normal numbers, whose exponent is 1.
        if (sum >> 63) return round_at_62(sign, exponent + 1, sum >> 1 | (sum & 1));
        return round_at_62(sign, sum >> 62 ? exponent : 0, sum >> 62 ? sum : sum << 1);
    }
    const uint64_t difference = great - small;
    if (difference >> 62) return round_at_62(sign, exponent, difference);
    return difference ? rounded(sign, exponent, difference) : 0;
}

uint64_t __aeabi_dsub(uint64_t a, uint64_t b) { return __aeabi_dadd(a, b ^ SIGN); }

static uint64_t multiply(uint32_t a, uint32_t b) { return (uint64_t)a * b; }

uint64_t __aeabi_dmul(uint64_t a, uint64_t b) {
    const uint64_t sign = (a ^ b) & SIGN;
    if (exponent_of(a) == 0x7FF || exponent_of(b) == 0x7FF) {
        if (is_nan(a) || is_nan(b) || !(a & ~SIGN) || !(b & ~SIGN)) return NOT_A_NUMBER;
        return sign | INFINITE;
    }
    if (!(a & ~SIGN) || !(b & ~SIGN)) return sign;
    int exponent, other;
    const uint64_t one = normal(a, &exponent) << 10, two = normal(b, &other) << 11;
    const uint32_t high = one >> 32, low = one, second_high = two >> 32, second_low = two;
    const uint64_t lowest = multiply(low, second_low);
    const uint64_t middle = multiply(high, second_low) + (lowest >> 32);
    const uint64_t rest = multiply(low, second_high) + (uint32_t)middle;
    // Its leading bit is at 62 or 61.
    const uint64_t product = (multiply(high, second_high) + (middle >> 32) + (rest >> 32)) | ((uint32_t)rest || (uint32_t)lowest);
    exponent += other - 1022;
    return product >> 62 ? round_at_62(sign, exponent, product) : round_at_62(sign, exponent - 1, product << 1);
}

uint64_t __aeabi_ddiv(uint64_t a, uint64_t b) {
    const uint64_t sign = (a ^ b) & SIGN;
    if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || !((a | b) & ~SIGN)) return NOT_A_NUMBER;
    if (is_infinite(a) || !(b & ~SIGN)) return sign | INFINITE;
    if (is_infinite(b) || !(a & ~SIGN)) return sign;
    int exponent, other;
    uint64_t rest = normal(a, &exponent), quotient = 1;
    const uint64_t divisor = normal(b, &other);
    exponent += 1023 - other;
    if (rest < divisor) {
        rest <<= 1;
        exponent--;
    }
    rest -= divisor;
    // 55 bits behind the first, 16 at once: a quotient of their highest bits is at most three too small.
    const uint32_t highest = (uint32_t)(divisor >> 37) + 1;
    for (int bits = 55; bits > 0; bits -= 16) {
        const int count = bits < 16 ? bits : 16;
        uint32_t digit = (uint32_t)(rest >> 21) / highest >> (16 - count);
        rest = (rest << count) - digit * divisor;
        for (; rest >= divisor; digit++) rest -= divisor;
        quotient = quotient << count | digit;
    }
    return round_at_62(sign, exponent, quotient << 7 | (rest != 0));
}

// Comparison.
int __aeabi_dcmpun(uint64_t a, uint64_t b) { return is_nan(a) || is_nan(b); }
int __aeabi_dcmpeq(uint64_t a, uint64_t b) { return (a == b && !is_nan(a)) || !((a | b) & ~SIGN); }

// Whether a number is less than another, or where `equals`, also equal to it.
static inline __attribute__((always_inline)) int is_less(uint64_t a, uint64_t b, int equals) {
    if (is_nan(a) || is_nan(b)) return 0;
    // Without signs, bits are in the order of the numbers; with two signs, in the other order.
    if (!((a | b) & SIGN)) return equals ? a <= b : a < b;
    if (a & b & SIGN) return equals ? b <= a : b < a;
    // The zeros are equal.
    return (a | b) & ~SIGN ? (a & SIGN) != 0 : equals;
}
int __aeabi_dcmplt(uint64_t a, uint64_t b) { return is_less(a, b, 0); }
int __aeabi_dcmple(uint64_t a, uint64_t b) { return is_less(a, b, 1); }
int __aeabi_dcmpgt(uint64_t a, uint64_t b) { return is_less(b, a, 0); }
int __aeabi_dcmpge(uint64_t a, uint64_t b) { return is_less(b, a, 1); }

// Whole numbers to doubles.
uint64_t __aeabi_ul2d(uint64_t value) { return value ? rounded(0, 1023 + 62, value) : 0; }
uint64_t __aeabi_l2d(int64_t value) {
    return value < 0 ? SIGN | __aeabi_ul2d(-(uint64_t)value) : __aeabi_ul2d((uint64_t)value);
}
uint64_t __aeabi_ui2d(uint32_t value) { return __aeabi_ul2d(value); }
uint64_t __aeabi_i2d(int32_t value) { return __aeabi_l2d(value); }

// Doubles to whole numbers, towards 0; the nearest bound where there is none, and 0 for NaN.
static uint64_t magnitude(uint64_t bits, uint64_t bound) {
    const int exponent = exponent_of(bits) - 1023;
    if (exponent < 0 || is_nan(bits)) return 0;
    if (exponent > 63) return bound;
    const uint64_t significand = (bits & (IMPLICIT - 1)) | IMPLICIT;
    const uint64_t whole = exponent > 52 ? significand << (exponent - 52) : significand >> (52 - exponent);
    return whole > bound ? bound : whole;
}
uint64_t __aeabi_d2ulz(uint64_t bits) { return bits & SIGN ? 0 : magnitude(bits, ~0ull); }
int64_t __aeabi_d2lz(uint64_t bits) {
    return bits & SIGN ? (int64_t)-magnitude(bits, SIGN) : (int64_t)magnitude(bits, SIGN - 1);
}
int32_t __aeabi_d2iz(uint64_t bits) {
    return bits & SIGN ? (int32_t)-magnitude(bits, 1u << 31) : (int32_t)magnitude(bits, (1u << 31) - 1);
}

// Single precision.
uint64_t __aeabi_f2d(uint32_t bits) {
    const uint64_t sign = (uint64_t)(bits & 1u << 31) << 32;
    const uint32_t exponent = bits >> 23 & 0xFF, fraction = bits & 0x7FFFFF;
    if (exponent == 0xFF) return fraction ? NOT_A_NUMBER : sign | INFINITE;
    if (exponent) return sign | (uint64_t)(exponent + 1023 - 127) << 52 | (uint64_t)fraction << 29;
    return fraction ? rounded(sign, 1023 - 149 + 62, fraction) : sign;
}
uint32_t __aeabi_d2f(uint64_t bits) {
    const uint32_t sign = bits >> 32 & 1u << 31;
    if (is_nan(bits)) return 0x7FC00000;
    if (!(bits & ~SIGN)) return sign;
    int exponent;
    uint64_t significand = normal(bits, &exponent);
    exponent += 127 - 1023;
    if (exponent >= 0xFF) return sign | 0xFFu << 23;
    if (exponent <= 0) significand = shift_out(significand, 1 - exponent);
    const uint32_t lost = significand & 0x1FFFFFFF;
    uint32_t result = (significand + (1u << 28)) >> 29;
    if (lost == 1u << 28) result &= ~1u;
    return sign | (result + (exponent <= 0 ? 0 : (uint32_t)(exponent - 1) << 23));
}

// The whole number next to a number; `up` says by how many lost halves it grows: towards 0, to even, away from 0.
enum rule { toward_zero, to_even, half_away, down, up };

static uint64_t whole(uint64_t bits, enum rule rule) {
    const int exponent = exponent_of(bits) - 1023;
    if (exponent >= 52) return bits;
    const uint64_t sign = bits & SIGN, one = 1023ull << 52;
    if (!(bits & ~SIGN)) return bits;
    if (exponent < 0) {
        // Between 0 and 1.
        int grows = 0;
        if (rule == to_even) grows = (bits & ~SIGN) > (1022ull << 52);
        if (rule == half_away) grows = exponent == -1;
        if (rule == down) grows = sign != 0;
        if (rule == up) grows = !sign;
        return sign | (grows ? one : 0);
    }
    const uint64_t unit = 1ull << (52 - exponent), lost = bits & (unit - 1), kept = bits - lost;
    if (!lost) return bits;
    int grows = 0;
    if (rule == to_even) grows = lost > unit / 2 || (lost == unit / 2 && (exponent == 0 || kept & unit));
    if (rule == half_away) grows = lost >= unit / 2;
    if (rule == down) grows = sign != 0;
    if (rule == up) grows = !sign;
    // A carry goes into the exponent, where it belongs.
    return grows ? kept + unit : kept;
}
uint64_t trunc(uint64_t bits) { return whole(bits, toward_zero); }
uint64_t rint(uint64_t bits) { return whole(bits, to_even); }
uint64_t round(uint64_t bits) { return whole(bits, half_away); }
uint64_t floor(uint64_t bits) { return whole(bits, down); }
uint64_t ceil(uint64_t bits) { return whole(bits, up); }
uint32_t truncf(uint32_t bits) { return __aeabi_d2f(trunc(__aeabi_f2d(bits))); }

uint64_t sqrt(uint64_t bits) {
    if (is_nan(bits) || !(bits & ~SIGN)) return bits;
    if (bits & SIGN) return NOT_A_NUMBER;
    if (is_infinite(bits)) return bits;
    int exponent;
    uint64_t rest = normal(bits, &exponent);
    exponent -= 1023;
    if (exponent & 1) {
        rest <<= 1;
        exponent--;
    }
    // One bit of the root after the other, and the difference of the number and the root's square, both scaled by two.
    uint64_t root = 0, difference = 0;
    rest <<= 10;
    for (int bit = 0; bit < 56; bit++) {
        difference = difference << 2 | rest >> 62;
        rest <<= 2;
        const uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (difference >= trial) {
            difference -= trial;
            root |= 1;
        }
    }
    return round_at_62(0, exponent / 2 + 1023, root << 7 | (difference != 0));
}

// The remainder of a division whose quotient is whole, exact; `last` is the quotient's last bit.
static uint64_t remaining(uint64_t a, uint64_t b, int *last) {
    int exponent, other;
    uint64_t rest = normal(a, &exponent);
    const uint64_t divisor = normal(b, &other);
    *last = 0;
    if (exponent < other) return a;
    for (;; exponent--) {
        *last = rest >= divisor;
        if (*last) rest -= divisor;
        if (exponent == other || !rest) break;
        rest <<= 1;
    }
    if (exponent != other) *last = 0;
    return rest ? rounded(0, exponent + 10, rest) : 0;
}

static int has_no_remainder(uint64_t a, uint64_t b) {
    return is_nan(a) || is_nan(b) || is_infinite(a) || !(b & ~SIGN);
}

uint64_t fmod(uint64_t a, uint64_t b) {
    if (has_no_remainder(a, b)) return NOT_A_NUMBER;
    if (is_infinite(b) || !(a & ~SIGN)) return a;
    int last;
    return (a & SIGN) | remaining(a & ~SIGN, b & ~SIGN, &last);
}

uint64_t remainder(uint64_t a, uint64_t b) {
    if (has_no_remainder(a, b)) return NOT_A_NUMBER;
    if (is_infinite(b) || !(a & ~SIGN)) return a;
    const uint64_t divisor = b & ~SIGN;
    int last;
    const uint64_t rest = remaining(a & ~SIGN, divisor, &last);
    // Whether the rest is more than half of the divisor: the rest's other side is nearer then.
    const uint64_t beyond = __aeabi_dsub(divisor, rest);
    // Neither has a sign.
    const int isNearer = beyond < rest || (beyond == rest && last);
    const uint64_t result = isNearer && rest ? beyond | SIGN : rest;
    return result ^ (a & SIGN);
}
