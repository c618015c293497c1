// What a program on the chip has in place of an operating system.
#pragma once
#include <stdint.h>

// Whether the program was started anew after a fault or a full memory.
int chip_is_restart(void);

// The bounds of heap and stack in bytes.
uint32_t chip_heap_bound(void);
uint32_t chip_stack_bound(void);

// The greatest distance from the heap's start to the end of a piece that was lent, and the greatest depth of the stack.
uint32_t chip_heap_used(void);
uint32_t chip_stack_used(void);

// Ticks of the processor's own timer since the start, of which 24 bits are there; each is 50 ns, which are 50 instructions
// where the emulator counts an instruction as a nanosecond.
uint32_t chip_ticks(void);
enum { chip_instructions_per_tick = 50, chip_greatest_tick = 0xFFFFFF };

// The debugger that runs the program (semihosting): its command line, its files, its console.

// The command line behind its first word, which is a letter; empty where there is none. Valid until the program ends.
const char *chip_argument(void);
// That letter.
int chip_seed(void);
// Opens a file to read; negative where it cannot be opened.
int32_t chip_open(const char *path);
// Reads up to `count` bytes; 0 at the file's end, negative where it cannot be read.
int32_t chip_read(int32_t file, uint8_t *bytes, int32_t count);
void chip_write(const char *text, uint32_t count);
_Noreturn void chip_exit(int32_t status);

// Writes one line, the argument first, with a value to base 10 or 16, and starts the program anew; what has been started
// anew already ends with status 70.
_Noreturn void chip_fail(const char *what, uint32_t value, uint32_t base, const char *rest);
