#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        // The kernel's own code (vdso) is refused, and stays.
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_give_back_freed(void) { (void)malloc_trim(0); }

void clinux_give_back_program(void) { dl_iterate_phdr(give_back, NULL); }
