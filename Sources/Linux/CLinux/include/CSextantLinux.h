// What Swift cannot import: variadic calls, macros, and types hidden behind _GNU_SOURCE or clashing headers.
//
// Every function that can fail returns a negative errno, and zero or a result otherwise.

#ifndef CLINUX_H
#define CLINUX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Errors

/// The text of an errno, never NULL, from a table that is safe to read from any thread.
const char *clinux_error_text(int number);

// Event loop

struct clinux_event {
    uint64_t token;
    uint32_t events;
};

extern const uint32_t clinux_epoll_in;
extern const uint32_t clinux_epoll_out;
extern const uint32_t clinux_epoll_error;
extern const uint32_t clinux_epoll_hang_up;
extern const uint32_t clinux_epoll_once;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/// Waits without limit when `timeout` is -1; at most 64 events a call.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int timeout);

/// A timer on CLOCK_BOOTTIME.
int clinux_timer_create(void);
/// Sets the absolute expiry; zero disarms.
int clinux_timer_set(int timer, int64_t nanoseconds);

/// Nanoseconds on CLOCK_BOOTTIME and CLOCK_REALTIME.
int64_t clinux_boot_time(void);
int64_t clinux_wall_time(void);
/// Nanoseconds for which the calling thread has run, on CLOCK_THREAD_CPUTIME_ID.
int64_t clinux_thread_time(void);
/// The process's memory that is in use, pages of shared files included, in bytes; 0 where the kernel does not say.
uint64_t clinux_resident_bytes(void);
/// Whether the kernel's wall clock is disciplined by somebody (NTP, a receiver, a battery clock does not count).
bool clinux_wall_time_is_synchronised(void);

/// Blocks SIGTERM, SIGINT and SIGHUP in this thread and its later children, ignores SIGPIPE, and opens a signalfd.
int clinux_signals_open(void);
/// The next signal's number, or -EAGAIN.
int clinux_signals_read(int descriptor);

/// A non-blocking counter.
int clinux_counter_open(void);
int clinux_counter_post(int descriptor);
/// Empties an eventfd or a timerfd: 1 if it had fired, 0 if not.
int clinux_counter_clear(int descriptor);

// Threads

/// Starts a detached thread with all signals blocked; its name is cut at 15 bytes.
int clinux_thread_start(const char *name, void (*body)(void *), void *context);

// Terminals

/// Raw, 8 data bits, no parity, 1 stop bit, no flow control, HUPCL cleared. A rate of 0 keeps the present one.
int clinux_terminal_make_raw(int descriptor, uint32_t rate);
int clinux_terminal_set_rate(int descriptor, uint32_t rate);
int clinux_terminal_rate(int descriptor, uint32_t *rate);
int clinux_terminal_set_exclusive(int descriptor, bool exclusive);
/// Drives the transmitter low (break) until it is let go; a pseudoterminal takes it and does nothing.
int clinux_terminal_set_break(int descriptor, bool low);
int clinux_terminal_discard_input(int descriptor);
int clinux_terminal_unsent(int descriptor);

/// Opens a pseudoterminal's master, non-blocking, and unlocks its slave.
int clinux_pseudoterminal_open(void);
/// The slave's number in /dev/pts.
int clinux_pseudoterminal_number(int master);

unsigned clinux_device_major(dev_t device);
unsigned clinux_device_minor(dev_t device);

// Directory watching

int clinux_watch_open(void);
/// Creation, deletion, renaming and attributes of a directory's entries, and the end of the directory itself.
int clinux_watch_add(int descriptor, const char *directory);
/// As `clinux_watch_add`, and every end of writing to a file in the directory.
int clinux_watch_add_content(int descriptor, const char *directory);
/// Opening and closing of one file.
int clinux_watch_add_use(int descriptor, const char *path);
int clinux_watch_remove(int descriptor, int watch);

// Sockets

/// Stream sockets, non-blocking and close-on-exec unless `blocking`.
int clinux_unix_socket(bool blocking);
int clinux_unix_bind(int descriptor, const char *path);
int clinux_unix_connect(int descriptor, const char *path);
/// The longest socket path, without its final zero.
int clinux_unix_path_limit(void);
int clinux_unix_peer(int descriptor, uid_t *user, gid_t *group, pid_t *process);
/// The peer's supplementary groups when it connected: how many, or -ERANGE where there are more than `capacity`.
ssize_t clinux_unix_peer_groups(int descriptor, gid_t *groups, size_t capacity);
/// A descriptor of the very process that connected (since Linux 6.5), close-on-exec.
int clinux_unix_peer_process(int descriptor);
/// Whether a process' descriptor says that it still runs, asked without waiting.
bool clinux_process_runs(int process_descriptor);
/// Clock ticks a second, the unit of times in /proc/PID/stat.
long clinux_clock_ticks(void);
/// Writes the path of a process' executable, zero-terminated, where that path leads to the same file here; its length.
///
/// -EACCES where the process is another user's, -ESTALE where the path leads to another file or to none.
ssize_t clinux_process_executable(pid_t process, char *path, size_t size);

/// Creates, sets SO_REUSEADDR and IPV6_V6ONLY, binds and listens on a numeric address; -EINVAL if it is not one.
int clinux_tcp_listen(const char *address, uint16_t port, int backlog);
int clinux_tcp_port(int descriptor);
/// Writes the numeric address that a socket is bound to; `text` holds at least 64 bytes.
int clinux_tcp_address(int descriptor, char *text, size_t size);
/// A blocking, close-on-exec connection to a numeric address, on which nothing waits longer than these seconds.
int clinux_tcp_connect(const char *address, uint16_t port, int seconds);
/// Writes the numeric address from which this host would reach another one; nothing is sent.
int clinux_address_towards(const char *address, char *text, size_t size);
/// Writes this host's addresses that others may reach, a line "INTERFACE ADDRESS/PREFIX" each.
int clinux_own_addresses(char *text, size_t size);
/// Writes the peer's numeric address; `text` holds at least 64 bytes.
int clinux_tcp_peer(int descriptor, char *text, size_t size);
/// Writes both ends' addresses and ports as /proc/net/tcp shows them, "0100007F:0B83"; each text holds at least 64 bytes.
///
/// An IPv4 address is written as such where it is mapped into IPv6.
int clinux_tcp_ends(int descriptor, char *own, char *other, size_t size);
/// Sends small messages at once, and lets the kernel find out that a silent peer has gone.
int clinux_tcp_prepare(int descriptor);

int clinux_listen(int descriptor, int backlog);
/// A non-blocking, close-on-exec connection.
int clinux_accept(int descriptor);
/// Sends without raising SIGPIPE.
ssize_t clinux_send(int descriptor, const void *bytes, size_t count);
/// Whether the other end has hung up, asked without waiting.
bool clinux_is_hung_up(int descriptor);
/// Waits for reading: 1 ready, 0 when `timeout` milliseconds passed; -1 waits without limit.
int clinux_wait_readable(int descriptor, int timeout);

/// Bytes that a read would return at once; 0 also where the kernel cannot tell. Asking a terminal by poll can wait for a
/// thread of the kernel.
int clinux_bytes_waiting(int descriptor);

// Bluetooth

/// One instruction of a classic BPF program, as the kernel's struct sock_filter.
struct clinux_filter {
    uint16_t code;
    uint8_t when_true;
    uint8_t when_false;
    uint32_t value;
};

/// Opens the Bluetooth management socket, non-blocking and close-on-exec, with a filter that can no longer be changed and
/// a queue of so many bytes; binding it needs CAP_NET_ADMIN.
int clinux_bluetooth_open(const struct clinux_filter *filter, size_t count, int queue);
/// Whether a descriptor is a socket for Bluetooth controllers, whose bound address the kernel does not tell.
bool clinux_is_bluetooth_control(int descriptor);

// Memory

/// Gives the kernel what was allocated and freed again, and what the allocator kept for later.
void clinux_give_back_freed(void);

/// Takes the program's code and constants out of this process's memory; what is used again is mapped again from the page
/// cache.
///
/// Only what is mapped from files and never written: nothing can be lost.
void clinux_give_back_program(void);

// The service manager

/// A datagram socket that belongs to nobody yet, non-blocking and close-on-exec.
int clinux_datagram_socket(void);
/// Sends one datagram to a path, or to a name in the abstract name space, which begins with "@".
int clinux_datagram_send(int descriptor, const char *name, const void *bytes, size_t count);
/// The same, and passes a descriptor along.
int clinux_datagram_pass(int descriptor, const char *name, const void *bytes, size_t count, int passed);

enum clinux_listening { clinux_listening_not, clinux_listening_unix, clinux_listening_tcp };
/// Which kind of listening stream socket a descriptor is.
enum clinux_listening clinux_listening_kind(int descriptor);
/// Writes the path that a Unix socket is bound to, zero-terminated; its length, or -ENOENT where it has none.
int clinux_unix_name(int descriptor, char *name, size_t size);
/// Another number for what a descriptor leads to, close-on-exec; both are non-blocking then.
int clinux_duplicate(int descriptor);

// Files

/// Writes the access control list of what has this very name; its count of bytes.
ssize_t clinux_access_list(const char *path, uint8_t *bytes, size_t capacity);

// Firmware

/// Sends a property message to the Raspberry Pi's firmware, which answers in its place (IOCTL_MBOX_PROPERTY).
int clinux_mailbox_property(int mailbox, uint32_t *message);

// Sets the wake alarm of an open clock (/dev/rtc0) to seconds since 1970, or takes it away; 0, or a negative errno.
int clinux_clock_set_alarm(int clock, uint32_t seconds, int enabled);

// Pulses

/// The last pulse of an open PPS device, without waiting: the kernel's count, which is 0 before the first, and what
/// CLOCK_REALTIME showed at its edge.
int clinux_pulse_fetch(int device, uint32_t *sequence, int64_t *nanoseconds);

#endif
