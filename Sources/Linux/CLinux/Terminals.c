// asm/termbits.h and termios.h define the same types, so the kernel's termios2 stays in this file.

#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int checked(int result) { return result < 0 ? -errno : result; }

static void put_rate(struct termios2 *settings, uint32_t rate) {
    settings->c_cflag &= ~(tcflag_t)(CBAUD | CIBAUD);
    settings->c_cflag |= BOTHER | (BOTHER << IBSHIFT);
    settings->c_ispeed = rate;
    settings->c_ospeed = rate;
}

int clinux_terminal_make_raw(int descriptor, uint32_t rate) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CSTOPB | CRTSCTS | HUPCL | CMSPAR);
    settings.c_cflag |= CS8 | CREAD | CLOCAL;
    // With VMIN 0 an empty read is 0, which could not be told from a hang-up.
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (rate) put_rate(&settings, rate);
    return checked(ioctl(descriptor, TCSETS2, &settings));
}

int clinux_terminal_set_rate(int descriptor, uint32_t rate) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
    put_rate(&settings, rate);
    return checked(ioctl(descriptor, TCSETS2, &settings));
}

int clinux_terminal_rate(int descriptor, uint32_t *rate) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
    *rate = settings.c_ospeed;
    return 0;
}

int clinux_terminal_set_exclusive(int descriptor, bool exclusive) {
    return checked(ioctl(descriptor, exclusive ? TIOCEXCL : TIOCNXCL));
}

int clinux_terminal_set_break(int descriptor, bool low) {
    return checked(ioctl(descriptor, low ? TIOCSBRK : TIOCCBRK));
}

int clinux_terminal_discard_input(int descriptor) { return checked(ioctl(descriptor, TCFLSH, TCIFLUSH)); }

int clinux_terminal_unsent(int descriptor) {
    int count = 0;
    if (ioctl(descriptor, TIOCOUTQ, &count) < 0) return -errno;
    return count;
}

int clinux_pseudoterminal_open(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0) return -errno;
    if (grantpt(master) < 0 || unlockpt(master) < 0) {
        int failure = errno;
        close(master);
        return -failure;
    }
    return master;
}

int clinux_pseudoterminal_number(int master) {
    unsigned number;
    if (ioctl(master, TIOCGPTN, &number) < 0) return -errno;
    return (int)number;
}

unsigned clinux_device_major(dev_t device) { return major(device); }
unsigned clinux_device_minor(dev_t device) { return minor(device); }
