#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int checked(int result) { return result < 0 ? -errno : result; }

int clinux_datagram_socket(void) { return checked(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

static socklen_t named(struct sockaddr_un *address, const char *name) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (length == 0 || length >= sizeof address->sun_path) return 0;
    memcpy(address->sun_path, name, length);
    // A name in the abstract name space begins with a zero and has no other at its end.
    bool is_abstract = name[0] == '@';
    if (is_abstract) address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (is_abstract ? 0 : 1));
}

int clinux_datagram_send(int descriptor, const char *name, const void *bytes, size_t count) {
    struct sockaddr_un address;
    socklen_t size = named(&address, name);
    if (size == 0) return -ENAMETOOLONG;
    ssize_t sent = sendto(descriptor, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    return sent < 0 ? -errno : 0;
}

int clinux_datagram_pass(int descriptor, const char *name, const void *bytes, size_t count, int passed) {
    struct sockaddr_un address;
    socklen_t size = named(&address, name);
    if (size == 0) return -ENAMETOOLONG;
    struct iovec text = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = size, .msg_iov = &text, .msg_iovlen = 1,
        .msg_control = control.room, .msg_controllen = sizeof control.room,
    };
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof passed);
    memcpy(CMSG_DATA(rights), &passed, sizeof passed);
    return sendmsg(descriptor, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int option(int descriptor, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

enum clinux_listening clinux_listening_kind(int descriptor) {
    if (option(descriptor, SO_TYPE) != SOCK_STREAM || option(descriptor, SO_ACCEPTCONN) != 1) {
        return clinux_listening_not;
    }
    switch (option(descriptor, SO_DOMAIN)) {
    case AF_UNIX: return clinux_listening_unix;
    case AF_INET:
    case AF_INET6: return clinux_listening_tcp;
    default: return clinux_listening_not;
    }
}

int clinux_unix_name(int descriptor, char *name, size_t size) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) < 0) return -errno;
    // An abstract name, or none: no path.
    if (length <= offsetof(struct sockaddr_un, sun_path) || address.sun_path[0] == 0) return -ENOENT;
    size_t count = strnlen(address.sun_path, sizeof address.sun_path);
    if (count >= size) return -ENAMETOOLONG;
    memcpy(name, address.sun_path, count);
    name[count] = 0;
    return (int)count;
}

int clinux_duplicate(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return checked(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}
