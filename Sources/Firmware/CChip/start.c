// What runs before and beside the program on a Cortex-M33: the vector table, the start, and faults, told in one line.
// Source: Arm, "Armv8-M Architecture Reference Manual", DDI 0553: the vector table, AIRCR, CFSR, CPACR, MSPLIM, SysTick.
#include "chip.h"
#include "library.h"

// Set by the linker script.
extern uint32_t data_stored[], data_start[], data_end[], bss_start[], bss_end[];
extern uint32_t heap_start[], heap_end[], stack_bottom[], stack_top[];

int main(int, char **);

// What the stack is filled with before it is used; Swift's frames hold whole structures, so no zeros.
enum { paint = 0xA5C35A3C };

// What the start leaves as it is: a word that says so, and whether the program was started anew. In memory that has just
// been switched on, the word is another one.
static volatile uint32_t kept[2] __attribute__((section(".noinit")));
enum { is_kept = 0x5EC0DE01 };

int chip_is_restart(void) { return kept[0] == is_kept && kept[1]; }

uint32_t chip_heap_bound(void) { return (uint32_t)heap_end - (uint32_t)heap_start; }
uint32_t chip_stack_bound(void) { return (uint32_t)stack_top - (uint32_t)stack_bottom; }

uint32_t chip_stack_used(void) {
    const uint32_t *word = stack_bottom;
    while (word < stack_top && *word == paint) word++;
    return (uint32_t)stack_top - (uint32_t)word;
}

// It counts down.
uint32_t chip_ticks(void) { return chip_greatest_tick - *(volatile uint32_t *)0xE000E018; }

static uint32_t append(char *line, uint32_t at, const char *text) {
    while (*text) line[at++] = *text++;
    return at;
}

void chip_fail(const char *what, uint32_t value, uint32_t base, const char *rest) {
    char line[200], digits[12];
    const char *name = chip_argument();
    uint32_t at = append(line, append(line, 0, ": "), what), count = sizeof digits;
    digits[--count] = 0;
    do digits[--count] = "0123456789abcdef"[value % base];
    while (value /= base);
    at = append(line, append(line, at, base == 16 ? "0x" : ""), digits + count);
    at = append(line, at, rest);
    line[at++] = '\n';
    chip_write(name, strlen(name));
    chip_write(line, at);
    // Once: what fails again is not tried for ever.
    if (chip_is_restart()) chip_exit(70);
    kept[0] = is_kept;
    kept[1] = 1;
    __asm__ volatile("dsb" : : : "memory");
    // AIRCR: its key, and SYSRESETREQ.
    *(volatile uint32_t *)0xE000ED0C = 0x05FA0004;
    for (;;) continue;
}

__attribute__((used)) static void fault(const uint32_t *frame) {
    const uint32_t status = *(volatile uint32_t *)0xE000ED28;
    enum { undefined_instruction = 1 << 16, stack_overflow = 1 << 20 };
    // Nothing was stacked then.
    if (status & stack_overflow) chip_fail("the stack is full at its bound of ", chip_stack_bound(), 10, " bytes");
    // Swift ends a program that would go on wrongly by an instruction that is not defined.
    const char *what = status & undefined_instruction ? "a trap at " : "a fault at ";
    chip_fail(what, frame[6], 16, "");
}

// Begins at the top of the stack again: where it has overflowed, there is no place for a frame.
__attribute__((naked)) static void faulted(void) {
    __asm__ volatile(
        "mrs r0, msp\n"
        "ldr r1, =stack_top\n"
        "mov sp, r1\n"
        "b fault\n");
}

static void reset(void) {
    __asm__ volatile("msr msplim, %0" : : "r"(stack_bottom));
    // Floating point of single precision, whose registers carry doubles too.
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20;
    __asm__ volatile("dsb\n isb" : : : "memory");
    // SYST_RVR, SYST_CVR and SYST_CSR: from its greatest value, by the processor's clock.
    *(volatile uint32_t *)0xE000E014 = chip_greatest_tick;
    *(volatile uint32_t *)0xE000E018 = 0;
    *(volatile uint32_t *)0xE000E010 = 5;
    uint32_t *depth;
    __asm__ volatile("mov %0, sp" : "=r"(depth));
    for (uint32_t *word = stack_bottom; word < depth; word++) *word = paint;
    memcpy(data_start, data_stored, (uint32_t)data_end - (uint32_t)data_start);
    memset(bss_start, 0, (uint32_t)bss_end - (uint32_t)bss_start);
    main(0, 0);
    chip_exit(0);
}

__attribute__((section(".vectors"), used)) const void *const vectors[16] = {
    stack_top, reset, faulted, faulted, faulted, faulted, faulted, faulted,
    0, 0, 0, faulted, faulted, 0, faulted, faulted,
};
