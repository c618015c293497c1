// Memory, whole numbers of 64 bits, and decimal text: what the compiler and Swift's runtime call beside doubles.c.
// Source: Arm, "Run-time ABI for the Arm Architecture", IHI 0043, sections 4.2 and 4.3.
#include "library.h"

// Memory, by four words at once where both sides begin at one.
void *memmove(void *to, const void *from, size_t count) {
    char *target = to;
    const char *source = from;
    const int isByWords = !(((uintptr_t)target | (uintptr_t)source) & 3);
    if ((uintptr_t)target - (uintptr_t)source >= count) {
        if (isByWords) {
            for (; count >= 16; count -= 16, target += 16, source += 16) {
                const uint32_t *words = (const uint32_t *)source;
                const uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
                uint32_t *result = (uint32_t *)target;
                result[0] = a, result[1] = b, result[2] = c, result[3] = d;
            }
            for (; count >= 4; count -= 4, target += 4, source += 4) *(uint32_t *)target = *(const uint32_t *)source;
        }
        while (count--) *target++ = *source++;
        return to;
    }
    target += count;
    source += count;
    if (isByWords && !(count & 3)) {
        for (; count; count -= 4) {
            target -= 4;
            source -= 4;
            *(uint32_t *)target = *(const uint32_t *)source;
        }
    }
    while (count--) *--target = *--source;
    return to;
}

void *memcpy(void *to, const void *from, size_t count) { return memmove(to, from, count); }

void *memset(void *to, int value, size_t count) {
    char *target = to;
    const uint32_t word = (uint8_t)value * 0x01010101u;
    for (; count && (uintptr_t)target & 3; count--) *target++ = (char)value;
    for (; count >= 4; count -= 4, target += 4) *(uint32_t *)target = word;
    while (count--) *target++ = (char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t count) {
    const uint8_t *a = one, *b = other;
    for (; count; count--, a++, b++) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

#ifdef __arm__
#define SAME(name, function) __attribute__((alias(#function))) void *name(void *to, const void *from, size_t count);
SAME(__aeabi_memcpy, memcpy)
SAME(__aeabi_memcpy4, memcpy)
SAME(__aeabi_memcpy8, memcpy)
SAME(__aeabi_memmove, memmove)
SAME(__aeabi_memmove4, memmove)
SAME(__aeabi_memmove8, memmove)
void __aeabi_memset(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memset4(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memset8(void *to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memclr(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void *to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr8(void *to, size_t count) { memset(to, 0, count); }

// Whole numbers of 64 bits, in halves, so that the compiler does not call what is being defined.
union wide {
    uint64_t all;
    struct {
        uint32_t low, high;
    };
};

uint64_t __aeabi_llsl(uint64_t value, int places) {
    union wide from = {value}, to;
    if (places == 0) return value;
    to.high = places >= 32 ? from.low << (places - 32) : from.high << places | from.low >> (32 - places);
    to.low = places >= 32 ? 0 : from.low << places;
    return to.all;
}

uint64_t __aeabi_llsr(uint64_t value, int places) {
    union wide from = {value}, to;
    if (places == 0) return value;
    to.low = places >= 32 ? from.high >> (places - 32) : from.low >> places | from.high << (32 - places);
    to.high = places >= 32 ? 0 : from.high >> places;
    return to.all;
}

int64_t __aeabi_lasr(int64_t value, int places) {
    union wide from = {(uint64_t)value}, to;
    const int32_t high = (int32_t)from.high;
    if (places == 0) return value;
    to.low = places >= 32 ? (uint32_t)(high >> (places - 32)) : from.low >> places | from.high << (32 - places);
    to.high = (uint32_t)(high >> (places >= 32 ? 31 : places));
    return (int64_t)to.all;
}

__attribute__((used)) static uint64_t divide(uint64_t value, uint64_t divisor, uint64_t *rest) {
    uint64_t quotient = 0;
    if (!(divisor >> 32) && !(value >> 32) && divisor) {
        quotient = (uint32_t)value / (uint32_t)divisor;
        *rest = (uint32_t)value % (uint32_t)divisor;
        return quotient;
    }
    *rest = value;
    // Division by 0 is for the caller to rule out; Swift does.
    if (!divisor || divisor > value) return 0;
    const uint32_t high = value >> 32, divisor_high = divisor >> 32;
    int places = (high ? 32 - __builtin_clz(high) : 0) - (divisor_high ? 32 - __builtin_clz(divisor_high) : 0);
    if (!divisor_high) places = 64 - (high ? __builtin_clz(high) : 32) - (32 - __builtin_clz((uint32_t)divisor));
    divisor <<= places;
    for (; places >= 0; places--) {
        quotient <<= 1;
        if (*rest >= divisor) {
            *rest -= divisor;
            quotient |= 1;
        }
        divisor >>= 1;
    }
    return quotient;
}

__attribute__((used)) static int64_t divide_signed(int64_t value, int64_t divisor, int64_t *rest) {
    uint64_t left;
    uint64_t quotient = divide(
        value < 0 ? -(uint64_t)value : (uint64_t)value, divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor, &left);
    *rest = (int64_t)(value < 0 ? -left : left);
    return (int64_t)((value < 0) != (divisor < 0) ? -quotient : quotient);
}

// The quotient in r0 and r1, the rest in r2 and r3.
#define DIVISION(name, function)                                                                                      \
    __attribute__((naked)) void name(void) {                                                                          \
        __asm__ volatile(                                                                                             \
            "push {r4, lr}\n sub sp, sp, #16\n add r4, sp, #8\n str r4, [sp]\n bl " #function                         \
            "\n ldrd r2, r3, [sp, #8]\n add sp, sp, #16\n pop {r4, pc}\n");                                           \
    }
DIVISION(__aeabi_uldivmod, divide)
DIVISION(__aeabi_ldivmod, divide_signed)
#endif

// Decimal text. A whole number of some thousand bits, its lowest word first.
enum { most_words = 192, most_digits = 800 };
struct number {
    int count;
    uint32_t words[most_words];
};

static void multiply_and_add(struct number *number, uint32_t factor, uint32_t term) {
    uint64_t carry = term;
    for (int place = 0; place < number->count; place++) {
        carry += (uint64_t)number->words[place] * factor;
        number->words[place] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->words[number->count++] = (uint32_t)carry;
}

// Divides by ten; returns whether something is left over.
static int divide_by_ten(struct number *number) {
    uint32_t rest = 0;
    for (int place = number->count - 1; place >= 0; place--) {
        // By halves, each of which one instruction divides.
        const uint32_t high = rest << 16 | number->words[place] >> 16;
        const uint32_t low = (high % 10) << 16 | (number->words[place] & 0xFFFF);
        number->words[place] = (high / 10) << 16 | low / 10;
        rest = low % 10;
    }
    if (number->count && !number->words[number->count - 1]) number->count--;
    return rest != 0;
}

uint64_t chip_decimal(const char *text, const char **end) {
    static struct number number;
    const char *next = text;
    uint64_t sign = 0;
    if (*next == '-' || *next == '+') sign = *next++ == '-' ? 1ull << 63 : 0;
    int digits = 0, any = 0, exponent = 0, isInexact = 0, hasPoint = 0;
    number.count = 0;
    for (;; next++) {
        if (*next == '.' && !hasPoint) {
            hasPoint = 1;
            continue;
        }
        if (*next < '0' || *next > '9') break;
        any = 1;
        if (digits == most_digits) {
            // Digits beyond these can only tell a tie from what lies above it.
            isInexact |= *next != '0';
            exponent += !hasPoint;
            continue;
        }
        multiply_and_add(&number, 10, (uint32_t)(*next - '0'));
        if (number.count) digits++;
        exponent -= hasPoint;
    }
    *end = any ? next : text;
    if (!any) return 0;
    if (*next == 'e' || *next == 'E') {
        const char *written = next + 1;
        const int isNegative = *written == '-';
        if (*written == '-' || *written == '+') written++;
        int power = 0;
        const char *first = written;
        for (; *written >= '0' && *written <= '9'; written++) {
            if (power < 100000) power = power * 10 + *written - '0';
        }
        if (written != first) {
            *end = written;
            exponent += isNegative ? -power : power;
        }
    }
    if (!number.count) return sign;
    if (exponent + digits > 310) return sign | 0x7FFull << 52;
    if (exponent + digits < -330) return sign;
    int binary = 0;
    for (; exponent > 0; exponent--) multiply_and_add(&number, 10, 0);
    // Zeros behind it, as many words as the divisions take away, and two to round with.
    const int added = exponent < 0 ? -exponent / 9 + 3 : 2;
    for (int place = number.count - 1; place >= 0; place--) number.words[place + added] = number.words[place];
    for (int place = 0; place < added; place++) number.words[place] = 0;
    number.count += added;
    binary -= 32 * added;
    for (; exponent < 0; exponent++) isInexact |= divide_by_ten(&number);
    // The highest 64 bits, and whether anything stands below them.
    const int top = number.count - 1;
    const int zeros = __builtin_clz(number.words[top]);
    uint64_t bits = (uint64_t)number.words[top] << 32 | number.words[top - 1];
    uint32_t below = number.words[top - 2];
    if (zeros) {
        bits = bits << zeros | below >> (32 - zeros);
        below <<= zeros;
    }
    for (int place = top - 3; place >= 0; place--) below |= number.words[place];
    binary += 32 * (top - 1) - zeros;
    return sign | chip_rounded(1023 + 62 + binary, bits | ((below || isInexact) ? 1 : 0));
}
