public import Hardware

/// An I2C bus with emulated chips and configurable faults, which records the transfers in a transcript.
///
/// A class, because the driver under test shares it with the test that makes the bus fail.
public final class EmulatedBus: I2CBus {
    /// A transfer or a wait on the bus.
    public enum Transfer: Sendable, Equatable {
        case read(I2CAddress, register: UInt8, count: Int)
        case write(I2CAddress, register: UInt8, value: UInt8)
        case writeRow(I2CAddress, register: UInt8, values: [UInt8])
        case wait(microseconds: Int)
    }

    public let name: String
    public var chips: [any EmulatedChip]
    /// The error with which transfers fail; nil if no transfer fails.
    public var fault: BusError.Kind?
    /// The number of transfers that still succeed before the fault begins.
    public var transfersBeforeFault = 0
    /// The number of transfers that fail until the fault ends; nil if the fault never ends.
    public var faultyTransfers: Int?
    /// The addresses that kernel drivers occupy, each with its driver's name.
    public var held: [I2CAddress: String] = [:]
    public private(set) var transcript: [Transfer] = []

    public init(name: String = "/dev/i2c-1", chips: [any EmulatedChip] = []) {
        self.name = name
        self.chips = chips
    }

    public func clearTranscript() { transcript.removeAll() }

    public func read(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes {
        transcript.append(.read(address, register: register, count: count))
        let chip = try chip(at: address)
        guard chip.write([register], at: address), let bytes = chip.read(count, at: address) else {
            throw BusError(.noAcknowledge, bus: name, address: address)
        }
        return RegisterBytes(bytes)
    }

    public func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        transcript.append(.write(address, register: register, value: value))
        guard try chip(at: address).write([register, value], at: address) else {
            throw BusError(.noAcknowledge, bus: name, address: address)
        }
    }

    public func write(_ row: RegisterBytes, to register: UInt8, at address: I2CAddress) throws(BusError) {
        let values = (0..<row.count).map { row[$0] }
        transcript.append(.writeRow(address, register: register, values: values))
        guard try chip(at: address).write([register] + values, at: address) else {
            throw BusError(.noAcknowledge, bus: name, address: address)
        }
    }

    public func wait(microseconds: Int) {
        transcript.append(.wait(microseconds: microseconds))
        pass(microseconds: microseconds)
    }

    /// Lets time pass for every chip, without an entry in the transcript.
    public func pass(microseconds: Int) {
        for chip in chips { chip.pass(microseconds: microseconds) }
    }

    /// Throws the fault as an error if the fault has begun and has not ended.
    private func pass(_ fault: BusError.Kind, at address: I2CAddress) throws(BusError) {
        if transfersBeforeFault > 0 {
            transfersBeforeFault -= 1
            return
        }
        guard let left = faultyTransfers else { throw BusError(fault, bus: name, address: address) }
        guard left > 0 else { return }
        faultyTransfers = left - 1
        throw BusError(fault, bus: name, address: address)
    }

    private func chip(at address: I2CAddress) throws(BusError) -> any EmulatedChip {
        if let holder = held[address] { throw BusError(.busy, bus: name, address: address, cause: holder) }
        if let fault {
            try pass(fault, at: address)
        }
        guard let chip = chips.first(where: { $0.addresses.contains(address) }) else {
            throw BusError(.noAcknowledge, bus: name, address: address)
        }
        return chip
    }
}
