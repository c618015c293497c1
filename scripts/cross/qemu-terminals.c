// Debian 12's qemu-user does not know the kernel's termios2, by which a serial port is set to any rate. Loaded before
// an arm64 program, this asks for the older termios instead, whose members come first in termios2. The rate is one for
// the whole program, and is only remembered: enough for one pseudo-terminal.

#include <asm/termbits.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static speed_t rate = 9600;

int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    struct termios2 *settings = argument;
    if (request == TCGETS2) {
        settings->c_ispeed = settings->c_ospeed = rate;
        return (int)syscall(SYS_ioctl, descriptor, TCGETS, settings);
    }
    if (request == TCSETS2) {
        struct termios2 older = *settings;
        older.c_cflag &= ~(tcflag_t)(CBAUD | CIBAUD);
        older.c_cflag |= B9600;
        rate = settings->c_ospeed;
        return (int)syscall(SYS_ioctl, descriptor, TCSETS, &older);
    }
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
}
