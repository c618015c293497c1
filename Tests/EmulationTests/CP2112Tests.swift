import Emulation
import Hardware
import Testing

/// The reports' layouts are those of Silicon Labs' AN495, typed from it.
@Suite("EmulatedCP2112")
struct CP2112Tests {
    private let magnetometer = EmulatedHMC5883L(scene: SensorScene())

    private func bridge() -> EmulatedCP2112 { EmulatedCP2112(chips: [magnetometer]) }

    /// A read of registers, as the kernel's driver asks for it: a write of the pointer, and a read behind a repeated start.
    private func read(_ count: UInt8, from register: UInt8, at address: UInt8, _ bridge: inout EmulatedCP2112)
        -> [UInt8]?
    {
        _ = bridge.output([0x11, address << 1, 0, count, 1, register])
        guard bridge.output([0x15, 1])?.prefix(3) == [0x16, 0x02, 0x05] else { return nil }
        guard let response = bridge.output([0x12, 0, count]), response.count == 64, response[2] == count else {
            return nil
        }
        return Array(response[3..<3 + Int(count)])
    }

    @Test func `a register read sends a repeated start`() {
        var bridge = bridge()
        #expect(read(3, from: 0x0A, at: 0x1E, &bridge) == [0x48, 0x34, 0x33])
    }

    @Test func `a write reaches the chip, and the transfer status reports success`() {
        var bridge = bridge()
        #expect(bridge.output([0x15, 1]) == [0x16, 0, 0, 0, 0, 0, 0])
        let answer = bridge.output([0x14, 0x1E << 1, 2, 0x01, 0xA0])
        #expect(answer == nil)
        #expect(bridge.output([0x15, 1]) == [0x16, 0x02, 0x05, 0, 0, 0, 0])
        #expect(read(1, from: 0x01, at: 0x1E, &bridge) == [0xA0])
    }

    @Test func `an address without a chip, or with a silent chip, is not acknowledged`() {
        var bridge = bridge()
        #expect(read(1, from: 0, at: 0x1D, &bridge) == nil)
        #expect(bridge.output([0x15, 1])?.prefix(3) == [0x16, 0x03, 0x00])
        bridge.silentAddresses = [I2CAddress(0x1E)]
        #expect(read(1, from: 0, at: 0x1E, &bridge) == nil)
        bridge.silentAddresses = []
        #expect(read(1, from: 0x0A, at: 0x1E, &bridge) == [0x48])
    }

    @Test func `on a stuck bus a transfer stays busy until it is cancelled`() {
        var bridge = bridge()
        bridge.isBusStuck = true
        for _ in 0..<2 {
            _ = bridge.output([0x11, 0x1E << 1, 0, 1, 1, 0x0A])
            for _ in 0..<10 { #expect(bridge.output([0x15, 1])?.prefix(2) == [0x16, 0x01]) }
            _ = bridge.output([0x17, 1])
            #expect(bridge.output([0x15, 1])?.prefix(2) == [0x16, 0x00])
        }
        bridge.isBusStuck = false
        #expect(read(1, from: 0x0A, at: 0x1E, &bridge) == [0x48])
    }

    @Test func `a long read arrives in responses of at most 61 bytes`() {
        var bridge = bridge()
        _ = bridge.output([0x11, 0x1E << 1, 0, 100, 1, 0x0A])
        #expect(bridge.output([0x15, 1]) == [0x16, 0x02, 0x05, 0, 0, 0, 100])
        #expect(bridge.output([0x12, 0, 100])?[2] == 61)
        #expect(bridge.output([0x12, 0, 39])?[2] == 39)
        #expect(bridge.output([0x12, 0, 1])?[2] == 0)
    }

    @Test func `an output pin drives its wire, and an input pin has the board's level`() {
        var bridge = bridge()
        bridge.wires = 0b0000_1000
        #expect(bridge.feature(0x03) == [0x03, 0b0000_1000])
        bridge.setFeature([0x02, 0b0000_0100, 0xFF, 0, 0])
        bridge.setFeature([0x04, 0xFF, 0b0000_0100])
        #expect(bridge.outputs == 0b100 && bridge.levels == 0b1100)
        bridge.setFeature([0x02, 0, 0xFF, 0, 0])
        #expect(bridge.levels == 0b1000)
        // The latch keeps its bit, which shows when the line is an output again.
        bridge.setFeature([0x02, 0b0000_0100, 0xFF, 0, 0])
        #expect(bridge.levels == 0b1100)
        bridge.powerCycle()
        #expect(bridge.outputs == 0 && bridge.levels == 0b1000)
    }

    @Test func `feature reports have the lengths that the kernel driver asks for`() {
        let bridge = bridge()
        for (number, count) in [(0x02, 5), (0x03, 2), (0x05, 3), (0x06, 14), (0x20, 2)] as [(UInt8, Int)] {
            #expect(bridge.feature(number)?.count == count)
        }
        #expect(bridge.feature(0x77) == nil)
    }

    @Test(arguments: [[], [0x11], [0x11, 0x3C, 0, 1, 9, 0], [0x14, 0x3C, 60, 0], [0x12], [0x99, 1, 2]] as [[UInt8]])
    func `a truncated report is ignored`(report: [UInt8]) {
        var bridge = bridge()
        let answer = bridge.output(report)
        bridge.setFeature(Array(report.prefix(2)))
        #expect(answer == nil && bridge.levels == 0)
    }
}
