#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <linux/rtc.h>
#include <sys/ioctl.h>
#include <time.h>

// Raspberry Pi's drivers/char/broadcom/vcio.c, of which no header reaches programs.
#define MAILBOX_PROPERTY _IOWR(100, 0, char *)

int clinux_mailbox_property(int mailbox, uint32_t *message) {
    return ioctl(mailbox, MAILBOX_PROPERTY, message) < 0 ? -errno : 0;
}

int clinux_clock_set_alarm(int clock, uint32_t seconds, int enabled) {
    // The kernel wants a valid time also where there is to be no alarm.
    time_t instant = seconds;
    struct tm parts;
    if (!gmtime_r(&instant, &parts)) return -EINVAL;
    struct rtc_wkalrm alarm = {
        .enabled = enabled != 0,
        .time = {
            .tm_sec = parts.tm_sec, .tm_min = parts.tm_min, .tm_hour = parts.tm_hour, .tm_mday = parts.tm_mday,
            .tm_mon = parts.tm_mon, .tm_year = parts.tm_year, .tm_wday = -1, .tm_yday = -1, .tm_isdst = -1,
        },
    };
    return ioctl(clock, RTC_WKALM_SET, &alarm) < 0 ? -errno : 0;
}
