internal import Emulation
internal import Hardware
internal import SextantUnits

/// An I2C bus whose chips the harness emulates: the daemon's clock stands still until the harness answers a transfer.
struct BenchBus: I2CBus {
    let name: String
    let now: () -> MonotonicInstant
    /// Asks the harness to carry out an I2C transfer; returns nil if the harness has disconnected.
    let ask: (BenchTransfer) -> BenchTransferAnswer?

    mutating func read(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes {
        let bytes = try carryOut(.read(address, register: register, count: count), with: address)
        guard bytes.count == count else {
            throw BusError(.other, bus: name, address: address, cause: "the harness gave \(bytes.count) bytes")
        }
        return RegisterBytes(bytes)
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        _ = try carryOut(.write(address, register: register, value: value), with: address)
    }

    mutating func write(_ row: RegisterBytes, to register: UInt8, at address: I2CAddress) throws(BusError) {
        let values = (0..<row.count).map { row[$0] }
        _ = try carryOut(.writeRow(address, register: register, values: values), with: address)
    }

    mutating func wait(microseconds: Int) {
        _ = ask(BenchTransfer(bus: name, at: now(), .wait(microseconds: microseconds)))
    }

    private func carryOut(
        _ transfer: EmulatedBus.Transfer, with address: I2CAddress
    ) throws(BusError) -> [UInt8] {
        switch ask(BenchTransfer(bus: name, at: now(), transfer)) {
        case .bytes(let bytes)?: return bytes
        case .fault(let kind)?: throw BusError(kind, bus: name, address: address)
        case nil: throw BusError(.gone, bus: name, address: address)
        }
    }
}
