#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The kernel has these in headers of its own alone, and libbluetooth is not needed for three numbers and an address.
// Source: Linux, include/net/bluetooth/bluetooth.h and hci_sock.h.
enum { protocol_hci = 1, device_none = 0xFFFF, channel_control = 3 };

struct hci_address {
    uint16_t family;
    uint16_t device;
    uint16_t channel;
};

_Static_assert(sizeof(struct clinux_filter) == sizeof(struct sock_filter), "the layout of struct sock_filter");

static int checked(int result) { return result < 0 ? -errno : result; }

static int prepare(int descriptor, const struct clinux_filter *filter, size_t count, int queue) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = (struct sock_filter *)filter};
    int on = 1;
    // Before it is bound, so that nothing unfiltered is ever queued.
    if (setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0) return -errno;
    if (setsockopt(descriptor, SOL_SOCKET, SO_LOCK_FILTER, &on, sizeof on) < 0) return -errno;
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &queue, sizeof queue) < 0) return -errno;
    struct hci_address address = {AF_BLUETOOTH, device_none, channel_control};
    return checked(bind(descriptor, (struct sockaddr *)&address, sizeof address));
}

int clinux_bluetooth_open(const struct clinux_filter *filter, size_t count, int queue) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol_hci);
    if (descriptor < 0) return -errno;
    int failure = prepare(descriptor, filter, count, queue);
    if (failure == 0) return descriptor;
    close(descriptor);
    return failure;
}

static int option(int descriptor, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

bool clinux_is_bluetooth_control(int descriptor) {
    return option(descriptor, SO_DOMAIN) == AF_BLUETOOTH && option(descriptor, SO_TYPE) == SOCK_RAW
        && option(descriptor, SO_PROTOCOL) == protocol_hci;
}
