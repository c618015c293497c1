#include "CI2C.h"

#include <errno.h>
#include <sys/ioctl.h>

// Debian's i2c/smbus.h wants this one before it.
#include <linux/i2c-dev.h>

#include <i2c/smbus.h>

_Static_assert(I2C_SMBUS_BLOCK_MAX == 32, "callers give 32 bytes of room");

static int checked(int result) { return result < 0 ? -errno : result; }

int ci2c_look(int adapter, struct ci2c_abilities *abilities) {
    unsigned long functions = 0;
    if (ioctl(adapter, I2C_FUNCS, &functions) < 0) return -errno;
    abilities->transfers_registers = (functions & I2C_FUNC_SMBUS_BYTE_DATA) == I2C_FUNC_SMBUS_BYTE_DATA;
    abilities->reads_blocks = functions & I2C_FUNC_SMBUS_READ_I2C_BLOCK;
    abilities->writes_blocks = functions & I2C_FUNC_SMBUS_WRITE_I2C_BLOCK;
    return 0;
}

int ci2c_limit(int adapter, unsigned long timeout, unsigned long retries) {
    if (ioctl(adapter, I2C_TIMEOUT, timeout) < 0) return -errno;
    return checked(ioctl(adapter, I2C_RETRIES, retries));
}

int ci2c_select(int adapter, uint8_t address) {
    return checked(ioctl(adapter, I2C_SLAVE, (unsigned long)address));
}

int ci2c_read_block(int adapter, uint8_t first, uint8_t count, uint8_t *values) {
    return i2c_smbus_read_i2c_block_data(adapter, first, count, values);
}

int ci2c_read(int adapter, uint8_t address) { return i2c_smbus_read_byte_data(adapter, address); }

int ci2c_write(int adapter, uint8_t address, uint8_t value) {
    return i2c_smbus_write_byte_data(adapter, address, value);
}

int ci2c_write_block(int adapter, uint8_t first, uint8_t count, const uint8_t *values) {
    return i2c_smbus_write_i2c_block_data(adapter, first, count, values);
}
