#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than the headers of Debian 12. 77 on every architecture but alpha, parisc and sparc.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

ssize_t clinux_unix_peer_groups(int descriptor, gid_t *groups, size_t capacity) {
    socklen_t size = (socklen_t)(capacity * sizeof *groups);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0) return -errno;
    return (ssize_t)(size / sizeof *groups);
}

int clinux_unix_peer_process(int descriptor) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERPIDFD, &process, &size) < 0) return -errno;
    return process;
}

bool clinux_process_runs(int process_descriptor) {
    struct pollfd interest = {.fd = process_descriptor, .events = POLLIN};
    return poll(&interest, 1, 0) == 0;
}

long clinux_clock_ticks(void) { return sysconf(_SC_CLK_TCK); }

struct file {
    uint32_t major, minor;
    uint64_t inode;
};

// Without asking a server for fresh attributes, which one that is down, or a client's own file system, never answers.
static int identify(struct file *file, int directory, const char *path) {
    struct statx status;
    int flags = AT_STATX_DONT_SYNC | (*path ? 0 : AT_EMPTY_PATH);
    if (statx(directory, path, flags, STATX_INO, &status) < 0) return -errno;
    *file = (struct file){status.stx_dev_major, status.stx_dev_minor, status.stx_ino};
    return 0;
}

// The file a path leads to, as far as the kernel knows it without asking a disk or a server: -EAGAIN where it does not.
// The path of a program that runs is in memory.
static int identify_cached(struct file *file, const char *path) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_CACHED};
    int descriptor = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (descriptor < 0) return -errno;
    int failure = identify(file, descriptor, "");
    close(descriptor);
    return failure;
}

ssize_t clinux_process_executable(pid_t process, char *path, size_t size) {
    char link[32];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return -errno;
    if ((size_t)length == size - 1) return -ENAMETOOLONG;
    path[length] = 0;

    // A process in a mount namespace of its own may have any file at any path, and the kernel marks the path of one
    // that was removed with a word that a file name may hold too: only the path that leads there from here counts.
    struct file here, there;
    if (path[0] != '/' || identify_cached(&here, path) < 0 || identify(&there, AT_FDCWD, link) < 0) return -ESTALE;
    bool same = here.inode == there.inode && here.major == there.major && here.minor == there.minor;
    return same ? length : -ESTALE;
}
