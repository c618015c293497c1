// libgpiod 2: a request stands by itself, and its chip may close.

#include <gpiod.h>

// A limit of version 1 alone.
#ifndef GPIOD_LINE_BULK_MAX_LINES

#include "Common.h"

#include <errno.h>
#include <stdlib.h>

struct cgpiod_chip {
    struct gpiod_chip *chip;
};

struct cgpiod_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *edges;
    unsigned offset;
};

int cgpiod_version(void) { return 2; }

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
    errno = 0;
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip->chip);
    if (!info) return cgpiod_failure();
    cgpiod_copy_name(facts->label, gpiod_chip_info_get_label(info));
    facts->line_count = (uint32_t)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

int cgpiod_line_look(struct cgpiod_chip *chip, uint32_t offset, struct cgpiod_line_facts *facts) {
    errno = 0;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip->chip, offset);
    if (!info) return cgpiod_failure();
    cgpiod_copy_name(facts->name, gpiod_line_info_get_name(info));
    cgpiod_copy_name(facts->consumer, gpiod_line_info_get_consumer(info));
    facts->is_used = gpiod_line_info_is_used(info);
    gpiod_line_info_free(info);
    return 0;
}

static int request_with(
    const char *path, uint32_t offset, const char *consumer, struct gpiod_line_settings *settings,
    struct gpiod_line_config *lines, struct gpiod_request_config *config, struct gpiod_line_request **result) {
    if (!settings || !lines || !config) return -ENOMEM;
    gpiod_request_config_set_consumer(config, consumer);
    unsigned offsets[1] = {offset};
    errno = 0;
    if (gpiod_line_config_add_line_settings(lines, offsets, 1, settings) < 0) return cgpiod_failure();
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return cgpiod_failure();
    *result = gpiod_chip_request_lines(chip, config, lines);
    int failure = *result ? 0 : cgpiod_failure();
    gpiod_chip_close(chip);
    return failure;
}

/// Requests with these settings, and frees them.
static int request(
    const char *path, uint32_t offset, const char *consumer, struct gpiod_line_settings *settings,
    struct cgpiod_line **result) {
    struct cgpiod_line *line = calloc(1, sizeof *line);
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    int failure = -ENOMEM;
    if (line) {
        line->offset = offset;
        failure = request_with(path, offset, consumer, settings, lines, config, &line->request);
    }
    gpiod_request_config_free(config);
    gpiod_line_config_free(lines);
    gpiod_line_settings_free(settings);
    if (failure) {
        free(line);
        return failure;
    }
    *result = line;
    return 0;
}

int cgpiod_request_output(
    const char *path, uint32_t offset, const char *consumer, bool active_low, bool active, struct cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (settings) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        gpiod_line_settings_set_active_low(settings, active_low);
        gpiod_line_settings_set_output_value(settings, active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
    }
    return request(path, offset, consumer, settings, line);
}

static enum gpiod_line_bias bias_setting(enum cgpiod_bias bias) {
    switch (bias) {
    case cgpiod_bias_as_is: return GPIOD_LINE_BIAS_AS_IS;
    case cgpiod_bias_disabled: return GPIOD_LINE_BIAS_DISABLED;
    case cgpiod_bias_pull_up: return GPIOD_LINE_BIAS_PULL_UP;
    case cgpiod_bias_pull_down: return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

int cgpiod_request_input(
    const char *path, uint32_t offset, const char *consumer, bool active_low, enum cgpiod_bias bias,
    struct cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (settings) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_bias(settings, bias_setting(bias));
        gpiod_line_settings_set_active_low(settings, active_low);
        gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
    }
    int failure = request(path, offset, consumer, settings, line);
    if (failure) return failure;
    (*line)->edges = gpiod_edge_event_buffer_new(cgpiod_edge_batch);
    failure = (*line)->edges ? cgpiod_make_nonblocking(cgpiod_edge_descriptor(*line)) : -ENOMEM;
    if (failure) cgpiod_release(*line);
    return failure;
}

void cgpiod_release(struct cgpiod_line *line) {
    if (line->edges) gpiod_edge_event_buffer_free(line->edges);
    gpiod_line_request_release(line->request);
    free(line);
}

int cgpiod_get(struct cgpiod_line *line) {
    errno = 0;
    enum gpiod_line_value value = gpiod_line_request_get_value(line->request, line->offset);
    return value == GPIOD_LINE_VALUE_ERROR ? cgpiod_failure() : value == GPIOD_LINE_VALUE_ACTIVE;
}

int cgpiod_set(struct cgpiod_line *line, bool active) {
    enum gpiod_line_value value = active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    errno = 0;
    return gpiod_line_request_set_value(line->request, line->offset, value) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_edge_descriptor(struct cgpiod_line *line) { return gpiod_line_request_get_fd(line->request); }

int cgpiod_read_edges(struct cgpiod_line *line, struct cgpiod_edge *edges, int capacity) {
    if (!line->edges) return -EINVAL;
    errno = 0;
    int count = gpiod_line_request_read_edge_events(
        line->request, line->edges, capacity < cgpiod_edge_batch ? (size_t)capacity : cgpiod_edge_batch);
    if (count < 0) return cgpiod_failure();
    for (int index = 0; index < count; index++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->edges, (unsigned long)index);
        edges[index].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        edges[index].is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
