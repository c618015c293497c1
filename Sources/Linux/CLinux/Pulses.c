#define _GNU_SOURCE
#include "CSextantLinux.h"

#include <errno.h>
#include <linux/pps.h>
#include <sys/ioctl.h>

int clinux_pulse_fetch(int device, uint32_t *sequence, int64_t *nanoseconds) {
    // A timeout of 0 does not wait.
    struct pps_fdata data = {0};
    if (ioctl(device, PPS_FETCH, &data) < 0) return -errno;
    *sequence = data.info.assert_sequence;
    *nanoseconds = data.info.assert_tu.sec * INT64_C(1000000000) + data.info.assert_tu.nsec;
    return 0;
}
