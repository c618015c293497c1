// Registers of I2C chips through the kernel's /dev/i2c-N and libi2c: what Swift cannot import, variadic calls and macros.
//
// Every function that can fail returns a negative errno, and zero or a result otherwise.

#ifndef CI2C_H
#define CI2C_H

#include <stdbool.h>
#include <stdint.h>

/// The kernel's major number of adapters' device nodes.
enum { ci2c_major = 89 };

struct ci2c_abilities {
    /// Single registers can be read and written.
    bool transfers_registers;
    /// Up to 32 registers can be read in one transfer.
    bool reads_blocks;
    /// Up to 32 bytes can be written behind a register's number in one transfer.
    bool writes_blocks;
};

/// Reads the abilities of an adapter (I2C_FUNCS).
int ci2c_look(int adapter, struct ci2c_abilities *abilities);

/// Bounds a transfer: its time in units of 10 ms, and how often the kernel tries again. Both hold for the adapter, for
/// whoever uses it.
int ci2c_limit(int adapter, unsigned long timeout, unsigned long retries);

/// Chooses the chip for what follows (I2C_SLAVE); -EBUSY where a driver of the kernel's has it.
int ci2c_select(int adapter, uint8_t address);

/// Reads up to 32 registers in one transfer, and returns how many that was.
int ci2c_read_block(int adapter, uint8_t first, uint8_t count, uint8_t *values);
/// Reads one register.
int ci2c_read(int adapter, uint8_t address);
int ci2c_write(int adapter, uint8_t address, uint8_t value);
/// Writes up to 32 bytes behind a register's number in one transfer.
int ci2c_write_block(int adapter, uint8_t first, uint8_t count, const uint8_t *values);

#endif
