#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <sys/ioctl.h>

// Raspberry Pi's drivers/char/broadcom/vcio.c, of which no header reaches programs.
#define MAILBOX_PROPERTY _IOWR(100, 0, char *)

int clinux_mailbox_property(int mailbox, uint32_t *message) {
    return ioctl(mailbox, MAILBOX_PROPERTY, message) < 0 ? -errno : 0;
}
