#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

enum { batch = 64 };

static int checked(int result) { return result < 0 ? -errno : result; }

const char *clinux_error_text(int number) {
    const char *text = strerrordesc_np(number);
    return text ? text : "unknown error";
}

const uint32_t clinux_epoll_in = EPOLLIN;
const uint32_t clinux_epoll_out = EPOLLOUT;
const uint32_t clinux_epoll_error = EPOLLERR;
const uint32_t clinux_epoll_hang_up = EPOLLHUP;
const uint32_t clinux_epoll_once = EPOLLONESHOT;

int clinux_epoll_create(void) { return checked(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return checked(epoll_ctl(epoll, operation, descriptor, &event));
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int clinux_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int timeout) {
    struct epoll_event ready[batch];
    int count = epoll_wait(epoll, ready, capacity < batch ? capacity : batch, timeout);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) {
        events[index].token = ready[index].data.u64;
        events[index].events = ready[index].events;
    }
    return count;
}

int clinux_timer_create(void) { return checked(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)); }

int clinux_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec expiry = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return checked(timerfd_settime(timer, TFD_TIMER_ABSTIME, &expiry, NULL));
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_boot_time(void) { return nanoseconds(CLOCK_BOOTTIME); }

int64_t clinux_thread_time(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

uint64_t clinux_resident_bytes(void) {
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // The second number is the resident pages (proc_pid_statm(5)).
    char *end = NULL;
    strtoull(text, &end, 10);
    return strtoull(end, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

int64_t clinux_wall_time(void) { return nanoseconds(CLOCK_REALTIME); }

bool clinux_wall_time_is_synchronised(void) {
    struct timex state = {.modes = 0};
    int result = adjtimex(&state);
    return result >= 0 && result != TIME_ERROR;
}

int clinux_signals_open(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure) return -failure;
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return -errno;
    return checked(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_signals_read(int descriptor) {
    struct signalfd_siginfo information;
    ssize_t count = read(descriptor, &information, sizeof information);
    return count == (ssize_t)sizeof information ? (int)information.ssi_signo : -EAGAIN;
}

int clinux_counter_open(void) { return checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_counter_post(int descriptor) {
    uint64_t one = 1;
    return write(descriptor, &one, sizeof one) < 0 ? -errno : 0;
}

int clinux_counter_clear(int descriptor) {
    uint64_t count;
    return read(descriptor, &count, sizeof count) == (ssize_t)sizeof count;
}

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int clinux_thread_start(const char *name, void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -ENOMEM;
    *start = (struct start){body, context};

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure) {
        free(start);
        return -failure;
    }
    char short_name[16] = {0};
    strncpy(short_name, name, sizeof short_name - 1);
    pthread_setname_np(thread, short_name);
    pthread_detach(thread);
    return 0;
}

int clinux_watch_open(void) { return checked(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)); }

enum {
    entries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR
};

int clinux_watch_add(int descriptor, const char *directory) {
    return checked(inotify_add_watch(descriptor, directory, entries));
}

int clinux_watch_add_content(int descriptor, const char *directory) {
    return checked(inotify_add_watch(descriptor, directory, entries | IN_CLOSE_WRITE));
}

int clinux_watch_remove(int descriptor, int watch) { return checked(inotify_rm_watch(descriptor, watch)); }

int clinux_watch_add_use(int descriptor, const char *path) {
    return checked(inotify_add_watch(descriptor, path, IN_OPEN | IN_CLOSE));
}

bool clinux_is_hung_up(int descriptor) {
    struct pollfd interest = {.fd = descriptor};
    return poll(&interest, 1, 0) > 0 && interest.revents & POLLHUP;
}

int clinux_wait_readable(int descriptor, int timeout) {
    struct pollfd interest = {.fd = descriptor, .events = POLLIN};
    return checked(poll(&interest, 1, timeout));
}

int clinux_bytes_waiting(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) < 0 ? 0 : count;
}
