import Foundation
import Hardware
import LinuxHardware
import SextantReactor
import SextantUnits
import Testing

/// The bus that `scripts/check-gpio` gives its guest: `i2c-stub` with chips at 0x1d and 0x1e.
private enum Stub {
    static let bus = ProcessInfo.processInfo.environment["SEXTANT_I2C"]
    /// Whether it reads rows of registers.
    static let readsRows = ProcessInfo.processInfo.environment["SEXTANT_I2C_ROWS"] != "no"
    static let chip = I2CAddress(0x1E)
    static let name = "SMBus stub driver"
}

/// Run by `scripts/check-gpio` in a guest with a real kernel.
@Suite(
    "I2C chips on a bus", .serialized,
    .enabled(if: Stub.bus != nil, "scripts/check-gpio runs these where there is a bus"))
struct I2CChipTests {
    private func bus() throws -> LinuxI2CBus { try LinuxI2CBus(try #require(Stub.bus)) }

    @Test func `registers are written one at a time and read in a row`() throws {
        var bus = try bus()
        let readsRows = bus.readsRows
        #expect(readsRows == Stub.readsRows)
        for register in 0..<32 { try bus.write(UInt8(register) ^ 0xA5, to: UInt8(register), at: Stub.chip) }
        for count in [1, 2, 6, 31, 32] {
            let row = try bus.read(count, from: 0, at: Stub.chip)
            #expect(row.count == count)
            for index in 0..<count { #expect(row[index] == UInt8(index) ^ 0xA5) }
        }
        let one = try bus.read(from: 7, at: Stub.chip)
        #expect(one == 7 ^ 0xA5)
    }

    @Test func `each address has its own registers`() throws {
        var bus = try bus()
        let other = I2CAddress(0x1D)
        try bus.write(1, to: 0x40, at: Stub.chip)
        try bus.write(2, to: 0x40, at: other)
        let values = [try bus.read(from: 0x40, at: Stub.chip), try bus.read(from: 0x40, at: other)]
        #expect(values == [1, 2])
    }

    @Test func `a bus is found by its adapter's name`() throws {
        var bus = try LinuxI2CBus(Stub.name)
        try bus.write(9, to: 0x41, at: Stub.chip)
        var again = try self.bus()
        let value = try again.read(from: 0x41, at: Stub.chip)
        #expect(value == 9)
    }

    @Test func `an address without a chip is not acknowledged, and the bus keeps working`() throws {
        var bus = try bus()
        let nobody = I2CAddress(0x55)
        let refusal = BusError(.noAcknowledge, bus: bus.name, address: nobody)
        #expect(throws: refusal) { _ = try bus.read(6, from: 0, at: nobody) }
        #expect(throws: refusal) { try bus.write(0, to: 0, at: nobody) }
        _ = try bus.read(6, from: 0, at: Stub.chip)
    }

    @Test func `a chip held by a kernel driver is refused, and the driver is named`() throws {
        let number = try #require(Stub.bus?.split(separator: "-").last)
        let adapter = URL(fileURLWithPath: "/sys/bus/i2c/devices/i2c-\(number)")
        try Data("dummy 0x1d\n".utf8).write(to: adapter.appendingPathComponent("new_device"))
        defer { try? Data("0x1d\n".utf8).write(to: adapter.appendingPathComponent("delete_device")) }
        var bus = try bus()
        let taken = I2CAddress(0x1D)
        let error = #expect(throws: BusError.self) { _ = try bus.read(1, from: 0, at: taken) }
        let name = bus.name
        #expect(error == BusError(.busy, bus: name, address: taken))
        #expect(error?.cause == "dummy")
    }

    @Test func `a wait takes at least the requested time`() throws {
        var bus = try bus()
        let before = Clock.now()
        bus.wait(microseconds: 20_000)
        #expect(Clock.now().nanoseconds(since: before) >= 20_000_000)
    }
}
