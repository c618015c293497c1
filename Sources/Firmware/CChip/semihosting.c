// Calls to the debugger that runs the program, by Arm's semihosting: an instruction `bkpt 0xab` with the number of the
// operation in r0, and the address of its words in r1.
// Source: Arm, "Semihosting for AArch32 and AArch64", release 2.0, sections 4 and 5.
#include "chip.h"
#include "library.h"

enum { open_file = 0x01, write_file = 0x05, read_file = 0x06, get_command_line = 0x15, exit_extended = 0x20 };
enum { binary = 1, writing = 4 };

static int32_t call(uint32_t operation, const void *words) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = words;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}

static int32_t open_as(const char *path, uint32_t mode) {
    uint32_t words[] = {(uint32_t)path, mode, strlen(path)};
    return call(open_file, words);
}

int32_t chip_open(const char *path) { return open_as(path, binary); }

int32_t chip_read(int32_t file, uint8_t *bytes, int32_t count) {
    uint32_t words[] = {(uint32_t)file, (uint32_t)bytes, (uint32_t)count};
    int32_t left = call(read_file, words);
    return left < 0 || left > count ? -1 : count - left;
}

void chip_write(const char *text, uint32_t count) {
    static int32_t console = -1;
    if (console < 0) console = open_as(":tt", writing);
    uint32_t words[] = {(uint32_t)console, (uint32_t)text, count};
    call(write_file, words);
}

// The command line: a letter that seeds the hashes, and behind a space what the program is to work on.
static const char *command_line(void) {
    static char line[4096];
    uint32_t words[] = {(uint32_t)line, sizeof line};
    return line[0] || call(get_command_line, words) == 0 ? line : "";
}

const char *chip_argument(void) {
    const char *rest = command_line();
    while (*rest && *rest != ' ') rest++;
    return *rest ? rest + 1 : "";
}

int chip_seed(void) {
    const char *words = command_line();
    return *words ? *words : 'a';
}

void chip_exit(int32_t status) {
    enum { application_exit = 0x20026 };
    uint32_t words[] = {application_exit, (uint32_t)status};
    // A debugger that does not know how to end the program is asked again, and nothing else runs.
    for (;;) call(exit_extended, words);
}
