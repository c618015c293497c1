// libgpiod 1.6: a line belongs to its chip, which stays open while the line is held.

#include <gpiod.h>

// A limit of version 1 alone.
#ifdef GPIOD_LINE_BULK_MAX_LINES

#include "Common.h"

#include <errno.h>
#include <stdlib.h>

struct cgpiod_chip {
    struct gpiod_chip *chip;
};

struct cgpiod_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

int cgpiod_version(void) { return 1; }

int cgpiod_chip_open(const char *path, struct cgpiod_chip **result) {
    struct cgpiod_chip *chip = malloc(sizeof *chip);
    if (!chip) return -ENOMEM;
    errno = 0;
    chip->chip = gpiod_chip_open(path);
    if (!chip->chip) {
        int failure = cgpiod_failure();
        free(chip);
        return failure;
    }
    *result = chip;
    return 0;
}

void cgpiod_chip_close(struct cgpiod_chip *chip) {
    gpiod_chip_close(chip->chip);
    free(chip);
}

int cgpiod_chip_look(struct cgpiod_chip *chip, struct cgpiod_chip_facts *facts) {
    cgpiod_copy_name(facts->label, gpiod_chip_label(chip->chip));
    facts->line_count = gpiod_chip_num_lines(chip->chip);
    return 0;
}

int cgpiod_line_look(struct cgpiod_chip *chip, uint32_t offset, struct cgpiod_line_facts *facts) {
    errno = 0;
    struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
    // The library keeps what it read first.
    if (!line || gpiod_line_update(line) < 0) return cgpiod_failure();
    cgpiod_copy_name(facts->name, gpiod_line_name(line));
    cgpiod_copy_name(facts->consumer, gpiod_line_consumer(line));
    facts->is_used = gpiod_line_is_used(line);
    return 0;
}

static int request(
    const char *path, uint32_t offset, const struct gpiod_line_request_config *config, bool active,
    struct cgpiod_line **result) {
    struct cgpiod_line *line = malloc(sizeof *line);
    if (!line) return -ENOMEM;
    int failure = 0;
    errno = 0;
    line->chip = gpiod_chip_open(path);
    if (!line->chip) {
        failure = cgpiod_failure();
        free(line);
        return failure;
    }
    line->line = gpiod_chip_get_line(line->chip, offset);
    if (!line->line || gpiod_line_request(line->line, config, active) < 0) {
        failure = cgpiod_failure();
        cgpiod_release(line);
        return failure;
    }
    *result = line;
    return 0;
}

int cgpiod_request_output(
    const char *path, uint32_t offset, const char *consumer, bool active_low, bool active, struct cgpiod_line **line) {
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
        .flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
    };
    return request(path, offset, &config, active, line);
}

static int bias_flag(enum cgpiod_bias bias) {
    switch (bias) {
    case cgpiod_bias_as_is: return 0;
    case cgpiod_bias_disabled: return GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case cgpiod_bias_pull_up: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case cgpiod_bias_pull_down: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    }
    return 0;
}

int cgpiod_request_input(
    const char *path, uint32_t offset, const char *consumer, bool active_low, enum cgpiod_bias bias,
    struct cgpiod_line **line) {
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        .flags = bias_flag(bias) | (active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0),
    };
    int failure = request(path, offset, &config, false, line);
    if (failure) return failure;
    failure = cgpiod_make_nonblocking(cgpiod_edge_descriptor(*line));
    if (failure) cgpiod_release(*line);
    return failure;
}

void cgpiod_release(struct cgpiod_line *line) {
    // Releases its lines too.
    gpiod_chip_close(line->chip);
    free(line);
}

int cgpiod_get(struct cgpiod_line *line) {
    errno = 0;
    int value = gpiod_line_get_value(line->line);
    return value < 0 ? cgpiod_failure() : value;
}

int cgpiod_set(struct cgpiod_line *line, bool active) {
    errno = 0;
    return gpiod_line_set_value(line->line, active) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_edge_descriptor(struct cgpiod_line *line) {
    errno = 0;
    int descriptor = gpiod_line_event_get_fd(line->line);
    return descriptor < 0 ? cgpiod_failure() : descriptor;
}

int cgpiod_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity) {
    struct gpiod_line_event events[cgpiod_edge_batch];
    errno = 0;
    int count = gpiod_line_event_read_multiple(
        line->line, events, capacity < cgpiod_edge_batch ? capacity : cgpiod_edge_batch);
    if (count < 0) return cgpiod_failure();
    for (int index = 0; index < count; index++) {
        edges[index].nanoseconds = (int64_t)events[index].ts.tv_sec * 1000000000 + events[index].ts.tv_nsec;
        edges[index].is_rising = events[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
