#include "CSystemd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define LOGIND "org.freedesktop.login1"
#define MANAGER "/org/freedesktop/login1", LOGIND ".Manager"

static int told(int result, const char *call, sd_bus_error *error, char *why, size_t size) {
    if (result < 0) {
        if (error && error->message) snprintf(why, size, "%s: %s", error->name, error->message);
        else snprintf(why, size, "%s: %s", call, strerror(-result));
    }
    if (error) sd_bus_error_free(error);
    return result;
}

static int connect_to(sd_bus **bus, const char *address) {
    if (!address) return sd_bus_open_system(bus);
    int result = sd_bus_new(bus);
    if (result >= 0) result = sd_bus_set_address(*bus, address);
    if (result >= 0) result = sd_bus_set_bus_client(*bus, 1);
    if (result >= 0) result = sd_bus_start(*bus);
    return result;
}

int csystemd_open(struct csystemd_bus **bus, const char *address, unsigned seconds, char *why, size_t size) {
    sd_bus *opened = NULL;
    int result = connect_to(&opened, address);
    if (result < 0) {
        sd_bus_unref(opened);
        return told(result, "the system's D-Bus", NULL, why, size);
    }
    sd_bus_set_method_call_timeout(opened, (uint64_t)seconds * 1000000);
    *bus = (struct csystemd_bus *)opened;
    return 0;
}

void csystemd_close(struct csystemd_bus *bus) { sd_bus_flush_close_unref((sd_bus *)bus); }

static int call(struct csystemd_bus *bus, const char *method, sd_bus_message **reply, char *why, size_t size) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int result = sd_bus_call_method((sd_bus *)bus, LOGIND, MANAGER, method, &error, reply, "");
    return told(result, method, &error, why, size);
}

int csystemd_power_off(struct csystemd_bus *bus, char *why, size_t size) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int interactive = 0;
    int result =
        sd_bus_call_method((sd_bus *)bus, LOGIND, MANAGER, "PowerOff", &error, NULL, "b", interactive);
    return told(result, "PowerOff", &error, why, size);
}

// Appends a line; the last ones are missing where there is no room.
static void add(char **lines, size_t *room, int length) {
    if (length < 0 || (size_t)length >= *room) {
        *room = 0;
        return;
    }
    *lines += length;
    *room -= (size_t)length;
}

int csystemd_sessions(struct csystemd_bus *bus, char *lines, size_t room, char *why, size_t size) {
    sd_bus_message *reply = NULL;
    const char *id, *user, *seat, *path;
    uint32_t number;
    if (room) *lines = 0;
    int result = call(bus, "ListSessions", &reply, why, size);
    if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "(susso)");
    while (result >= 0 && room &&
           (result = sd_bus_message_read(reply, "(susso)", &id, &number, &user, &seat, &path)) > 0) {
        char *class = NULL;
        int known = sd_bus_get_property_string((sd_bus *)bus, LOGIND, path, LOGIND ".Session", "Class", NULL, &class);
        add(&lines, &room, snprintf(lines, room, "%s %s %s\n", user, known < 0 ? "unknown" : class, seat));
        free(class);
    }
    if (reply && result < 0) told(result, "ListSessions", NULL, why, size);
    sd_bus_message_unref(reply);
    return result < 0 ? result : 0;
}

int csystemd_inhibitors(struct csystemd_bus *bus, char *lines, size_t room, char *why, size_t size) {
    sd_bus_message *reply = NULL;
    const char *what, *who, *reason, *mode;
    uint32_t user, process;
    if (room) *lines = 0;
    int result = call(bus, "ListInhibitors", &reply, why, size);
    if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "(ssssuu)");
    while (result >= 0 && room &&
           (result = sd_bus_message_read(reply, "(ssssuu)", &what, &who, &reason, &mode, &user, &process)) > 0)
        add(&lines, &room, snprintf(lines, room, "%s %s %s: %s\n", what, mode, who, reason));
    if (reply && result < 0) told(result, "ListInhibitors", NULL, why, size);
    sd_bus_message_unref(reply);
    return result < 0 ? result : 0;
}
