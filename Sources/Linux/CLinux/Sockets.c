#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int checked(int result) { return result < 0 ? -errno : result; }

int clinux_unix_socket(bool blocking) {
    return checked(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0));
}

int clinux_unix_path_limit(void) { return (int)sizeof((struct sockaddr_un *)0)->sun_path - 1; }

static int unix_address(struct sockaddr_un *address, const char *path) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path) return -ENAMETOOLONG;
    memcpy(address->sun_path, path, length);
    return 0;
}

int clinux_unix_bind(int descriptor, const char *path) {
    struct sockaddr_un address;
    int failure = unix_address(&address, path);
    if (failure) return failure;
    return checked(bind(descriptor, (struct sockaddr *)&address, sizeof address));
}

int clinux_unix_connect(int descriptor, const char *path) {
    struct sockaddr_un address;
    int failure = unix_address(&address, path);
    if (failure) return failure;
    return checked(connect(descriptor, (struct sockaddr *)&address, sizeof address));
}

int clinux_unix_peer(int descriptor, uid_t *user, gid_t *group, pid_t *process) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -errno;
    *user = credentials.uid;
    *group = credentials.gid;
    *process = credentials.pid;
    return 0;
}

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage storage;
};

static socklen_t numeric_address(union address *result, const char *text, uint16_t port) {
    memset(result, 0, sizeof *result);
    if (inet_pton(AF_INET, text, &result->v4.sin_addr) == 1) {
        result->v4.sin_family = AF_INET;
        result->v4.sin_port = htons(port);
        return sizeof result->v4;
    }
    if (inet_pton(AF_INET6, text, &result->v6.sin6_addr) == 1) {
        result->v6.sin6_family = AF_INET6;
        result->v6.sin6_port = htons(port);
        return sizeof result->v6;
    }
    return 0;
}

static int prepare(int descriptor, const union address *address, socklen_t size, int backlog) {
    int on = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return -errno;
    if (address->any.sa_family == AF_INET6
        && setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) return -errno;
    if (bind(descriptor, &address->any, size) < 0) return -errno;
    return checked(listen(descriptor, backlog));
}

int clinux_tcp_listen(const char *text, uint16_t port, int backlog) {
    union address address;
    socklen_t size = numeric_address(&address, text, port);
    if (size == 0) return -EINVAL;
    int descriptor = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    int failure = prepare(descriptor, &address, size, backlog);
    if (failure == 0) return descriptor;
    close(descriptor);
    return failure;
}

int clinux_tcp_port(int descriptor) {
    union address address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, &address.any, &size) < 0) return -errno;
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

static int write_address(const union address *address, char *text, size_t size) {
    const void *source = address->any.sa_family == AF_INET6 ? (const void *)&address->v6.sin6_addr
                                                            : (const void *)&address->v4.sin_addr;
    return inet_ntop(address->any.sa_family, source, text, (socklen_t)size) ? 0 : -errno;
}

int clinux_tcp_peer(int descriptor, char *text, size_t size) {
    union address address;
    socklen_t length = sizeof address;
    if (getpeername(descriptor, &address.any, &length) < 0) return -errno;
    return write_address(&address, text, size);
}

int clinux_tcp_address(int descriptor, char *text, size_t size) {
    union address address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, &address.any, &length) < 0) return -errno;
    return write_address(&address, text, size);
}

static void write_end(const union address *address, char *text, size_t size) {
    if (address->any.sa_family != AF_INET6) {
        snprintf(text, size, "%08X:%04X", address->v4.sin_addr.s_addr, ntohs(address->v4.sin_port));
        return;
    }
    uint32_t words[4];
    memcpy(words, &address->v6.sin6_addr, sizeof words);
    bool is_mapped = IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr);
    size_t length = 0;
    for (int place = is_mapped ? 3 : 0; place < 4; place++) {
        length += (size_t)snprintf(text + length, size - length, "%08X", words[place]);
    }
    snprintf(text + length, size - length, ":%04X", ntohs(address->v6.sin6_port));
}

int clinux_tcp_ends(int descriptor, char *own, char *other, size_t size) {
    union address address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, &address.any, &length) < 0) return -errno;
    write_end(&address, own, size);
    length = sizeof address;
    if (getpeername(descriptor, &address.any, &length) < 0) return -errno;
    write_end(&address, other, size);
    return 0;
}

static int connected(int kind, const char *text, uint16_t port, int seconds) {
    union address address;
    socklen_t size = numeric_address(&address, text, port);
    if (size == 0) return -EINVAL;
    int descriptor = socket(address.any.sa_family, kind | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    struct timeval patience = {.tv_sec = seconds};
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0
        && setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0
        && connect(descriptor, &address.any, size) == 0) return descriptor;
    int failure = -errno;
    close(descriptor);
    return failure;
}

int clinux_tcp_connect(const char *address, uint16_t port, int seconds) {
    return connected(SOCK_STREAM, address, port, seconds);
}

int clinux_address_towards(const char *address, char *text, size_t size) {
    int descriptor = connected(SOCK_DGRAM, address, 9, 0);
    if (descriptor < 0) return descriptor;
    int failure = clinux_tcp_address(descriptor, text, size);
    close(descriptor);
    return failure;
}

// A copy: the list of addresses aligns them less strictly than the union is aligned.
static union address copied(const struct sockaddr *from, int family) {
    union address address = {.any.sa_family = AF_UNSPEC};
    memcpy(&address, from, family == AF_INET6 ? sizeof address.v6 : sizeof address.v4);
    return address;
}

static int prefix_length(const union address *mask, int family) {
    const uint8_t *bytes = family == AF_INET6 ? mask->v6.sin6_addr.s6_addr : (const uint8_t *)&mask->v4.sin_addr;
    int length = 0;
    for (int index = 0; index < (family == AF_INET6 ? 16 : 4); index++) length += __builtin_popcount(bytes[index]);
    return length;
}

int clinux_own_addresses(char *text, size_t size) {
    struct ifaddrs *all;
    if (getifaddrs(&all) < 0) return -errno;
    size_t used = 0;
    text[0] = 0;
    for (struct ifaddrs *each = all; each; each = each->ifa_next) {
        if (!each->ifa_addr || !each->ifa_netmask || !(each->ifa_flags & IFF_UP) || each->ifa_flags & IFF_LOOPBACK)
            continue;
        int family = each->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6) continue;
        union address address = copied(each->ifa_addr, family), mask = copied(each->ifa_netmask, family);
        if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&address.v6.sin6_addr)) continue;
        char number[64];
        if (write_address(&address, number, sizeof number) < 0) continue;
        int count = snprintf(text + used, size - used, "%s %s/%d\n", each->ifa_name, number,
                             prefix_length(&mask, family));
        if (count < 0 || (size_t)count >= size - used) {
            text[used] = 0;
            break;
        }
        used += (size_t)count;
    }
    freeifaddrs(all);
    return 0;
}

int clinux_tcp_prepare(int descriptor) {
    int on = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) < 0) return -errno;
    return checked(setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

int clinux_listen(int descriptor, int backlog) { return checked(listen(descriptor, backlog)); }

int clinux_accept(int descriptor) { return checked(accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

ssize_t clinux_send(int descriptor, const void *bytes, size_t count) {
    ssize_t result = send(descriptor, bytes, count, MSG_NOSIGNAL);
    return result < 0 ? -errno : result;
}
