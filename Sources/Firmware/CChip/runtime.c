// What Swift's runtime calls beside memory and arithmetic.
#include "chip.h"
#include "library.h"

// Seeds the standard library's hashes, and so the order of dictionaries, on which the Engine's outputs do not depend: a
// program that is run with another number shows it.
void arc4random_buf(void *bytes, size_t count) { memset(bytes, chip_seed(), count); }

int putchar(int character) {
    const char text = (char)character;
    chip_write(&text, 1);
    return character;
}

// `Double(String)`; the C library's only locale is C.
char *_swift_stdlib_strtod_clocale(const char *text, uint64_t *value) {
    const char *end;
    *value = chip_decimal(text, &end);
    return (char *)end;
}

// Nothing is unwound: tables for it are left out of the image.
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
void __aeabi_unwind_cpp_pr2(void) {}
