// One face for libgpiod 1.6 (Debian 12) and 2.x (Debian 13), whose interfaces differ; the header found decides.
//
// Every function that can fail returns a negative errno, and zero or a result otherwise.

#ifndef CGPIOD_H
#define CGPIOD_H

#include <stdbool.h>
#include <stdint.h>

/// The major version of the libgpiod that this was compiled against: 1 or 2.
int cgpiod_version(void);

// Looking

/// An open /dev/gpiochipN.
struct cgpiod_chip;

/// Names are cut at the kernel's 31 bytes.
struct cgpiod_chip_facts {
    char label[32];
    uint32_t line_count;
};

struct cgpiod_line_facts {
    /// Empty where the line has no name.
    char name[32];
    /// Whoever holds the line; may be empty although it is used.
    char consumer[32];
    bool is_used;
};

/// Opens a chip; it stays open until `cgpiod_chip_close`.
int cgpiod_chip_open(const char *path, struct cgpiod_chip **chip);
void cgpiod_chip_close(struct cgpiod_chip *chip);
int cgpiod_chip_look(struct cgpiod_chip *chip, struct cgpiod_chip_facts *facts);
int cgpiod_line_look(struct cgpiod_chip *chip, uint32_t offset, struct cgpiod_line_facts *facts);

// Holding

/// A line that is held; nobody else can request it.
struct cgpiod_line;

enum cgpiod_bias { cgpiod_bias_as_is, cgpiod_bias_disabled, cgpiod_bias_pull_up, cgpiod_bias_pull_down };

/// Requests one line of the chip at `path` as an output that has its level from the start.
int cgpiod_request_output(
    const char *path, uint32_t offset, const char *consumer, bool active_low, bool active, struct cgpiod_line **line);
/// Requests one line as an input that reports both edges; its descriptor does not block.
int cgpiod_request_input(
    const char *path, uint32_t offset, const char *consumer, bool active_low, enum cgpiod_bias bias,
    struct cgpiod_line **line);
void cgpiod_release(struct cgpiod_line *line);

/// 1 while active, 0 while not.
int cgpiod_get(struct cgpiod_line *line);
int cgpiod_set(struct cgpiod_line *line, bool active);

// Edges

struct cgpiod_edge {
    /// The kernel's stamp, nanoseconds: CLOCK_MONOTONIC since Linux 5.7, CLOCK_REALTIME before it.
    int64_t nanoseconds;
    /// Whether the line became active.
    bool is_rising;
};

/// At most this many edges are read at once.
enum { cgpiod_edge_batch = 16 };

/// The descriptor that becomes readable with an edge; it stays the line's own.
int cgpiod_edge_descriptor(struct cgpiod_line *line);
/// Reads what is queued; -EAGAIN when nothing is.
int cgpiod_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity);

/// Nanoseconds on CLOCK_MONOTONIC, the clock of the stamps.
int64_t cgpiod_stamp_time(void);

#endif
