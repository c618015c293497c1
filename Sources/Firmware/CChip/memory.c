// The heap: first fit over a list of free pieces in the order of their addresses, joined with their neighbours.
//
// A piece begins with a header of 8 bytes, 8 behind a multiple of 16: what is lent begins at a multiple of 16, the
// greatest alignment that Swift's types ask for.
#include "chip.h"
#include "library.h"

extern char heap_start[], heap_end[];

struct piece {
    uint32_t size;  // with the header
    struct piece *next;  // while free
};

static struct piece *free_pieces;
static char *unused;  // nothing behind it was lent yet
static char *top;  // the greatest `unused`

uint32_t chip_heap_used(void) { return top ? (uint32_t)(top - heap_start) : 0; }

// Lends memory, or ends the program: no caller has a way to go on without it.
static void *lend(size_t count) {
    if (!unused) unused = top = heap_start + 8;
    const uint32_t bound = chip_heap_bound();
    if (count > bound) chip_fail("memory is full: asked for ", count, 10, " bytes, more than the whole heap has");
    const uint32_t size = ((uint32_t)count + 8 + 15) & ~15u;
    struct piece **link = &free_pieces;
    while (*link && (*link)->size < size) link = &(*link)->next;
    struct piece *piece = *link;
    if (!piece) {
        if (size > (uint32_t)(heap_end - unused)) {
            chip_fail("memory is full: the heap has its bound of ", bound, 10, " bytes");
        }
        piece = (struct piece *)unused;
        piece->size = size;
        unused += size;
        if (unused > top) top = unused;
    } else if (piece->size > size) {
        struct piece *rest = (struct piece *)((char *)piece + size);
        rest->size = piece->size - size;
        rest->next = piece->next;
        piece->size = size;
        *link = rest;
    } else {
        *link = piece->next;
    }
    return piece + 1;
}

static int touch(const struct piece *one, const struct piece *other) { return (char *)one + one->size == (char *)other; }

static void take_back(void *lent) {
    if (!lent) return;
    struct piece *piece = (struct piece *)lent - 1;
    struct piece **link = &free_pieces, **before = 0;
    while (*link && *link < piece) {
        before = link;
        link = &(*link)->next;
    }
    piece->next = *link;
    *link = piece;
    if (piece->next && touch(piece, piece->next)) {
        piece->size += piece->next->size;
        piece->next = piece->next->next;
    }
    if (before && touch(*before, piece)) {
        (*before)->size += piece->size;
        (*before)->next = piece->next;
        link = before;
    }
    if ((char *)*link + (*link)->size == unused) {
        unused = (char *)*link;
        *link = 0;
    }
}

// Swift's runtime.
int posix_memalign(void **result, size_t alignment, size_t count) {
    if (alignment > 16) chip_fail("memory with an alignment of ", alignment, 10, " bytes, more than the heap gives");
    *result = lend(count);
    return 0;
}
void free(void *lent) { take_back(lent); }
