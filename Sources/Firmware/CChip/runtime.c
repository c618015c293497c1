// What Swift's runtime calls, and neither newlib nor libgcc has.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "chip.h"

// Seeds the standard library's hashes. The same at each start: the Engine's outputs do not depend on the order of a
// dictionary, and a program that repeats itself is easier to search.
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 0x5A, count); }

int putchar(int character) {
    const char text = (char)character;
    chip_write(&text, 1);
    return character;
}

// `Double(String)`; the C library's only locale is C.
char *_swift_stdlib_strtod_clocale(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end;
}

// Nothing is unwound: tables for it are left out of the image.
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
void __aeabi_unwind_cpp_pr2(void) {}

// Where newlib's strtod finds itself wrong; newlib's own function of this name would bring printf.
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *what) {
    (void)file;
    (void)function;
    (void)what;
    chip_fail("newlib finds itself wrong at line ", (uint32_t)line, 10, " of its conversion of numbers");
}
