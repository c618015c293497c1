#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <sys/xattr.h>

ssize_t clinux_access_list(const char *path, uint8_t *bytes, size_t capacity) {
    ssize_t count = lgetxattr(path, "system.posix_acl_access", bytes, capacity);
    return count < 0 ? -errno : count;
}
