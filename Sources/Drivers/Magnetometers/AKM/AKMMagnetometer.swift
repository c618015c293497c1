internal import Hardware

/// A magnetometer of AKM's that may sit in another chip's package, behind a switch.
protocol AKMMagnetometer: MagnetometerChip {
    /// The chip in whose package it can sit.
    static var bypass: HostBypass { get }
    static var mode: AKMMode { get }
    /// The host chip whose switch is closed; nil where the magnetometer stands by itself.
    var host: I2CAddress? { get set }
    /// Reads the identity of a chip that answers.
    static func checkAnswer(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
}

/// Where a chip of AKM's has its mode, and what a single measurement is there.
struct AKMMode: Sendable {
    var register: UInt8
    var mask: UInt8
}

extension AKMMagnetometer {
    /// Asks the chip; without an answer it closes a host chip's switch, asks again, and on a failure opens the switch.
    static func findBehindHost(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        do {
            try checkAnswer(at: address, over: &bus)
        } catch .bus(let error) where error.kind == .noAcknowledge && address == addresses[0] {
            guard let before = try bypass.close(over: &bus) else { throw .bus(error) }
            do {
                try checkAnswer(at: address, over: &bus)
            } catch let mismatch {
                try bypass.restore(before, over: &bus)
                throw mismatch
            }
        }
    }

    /// Finds out whether the chip sits behind a host chip; one that is known stays so, or is an error.
    mutating func findHost(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.findBehindHost(at: address, over: &bus)
        guard address == Self.addresses[0] else { return }
        if let host {
            try Self.bypass.checkHost(at: host, over: &bus)
            guard try Self.bypass.isClosed(at: host, over: &bus) else {
                throw .wasReset(chip: name, at: bus.place(address))
            }
        } else {
            host = try Self.bypass.throughHost(over: &bus)
        }
    }

    /// Explains a missing answer: where the host chip's switch has opened, both the host chip and this chip were reset.
    func explain(_ error: ChipError, over bus: inout some I2CBus & ~Copyable) -> ChipError {
        guard case .bus(let cause) = error, cause.kind == .noAcknowledge, let host else { return error }
        guard (try? Self.bypass.checkHost(at: host, over: &bus)) != nil else { return error }
        guard let isClosed = try? Self.bypass.isClosed(at: host, over: &bus) else { return error }
        return isClosed ? error : .wasReset(chip: name, at: bus.place(address))
    }

    /// Why no data are ready: a chip that has forgotten what it was told is in power-down, as after a measurement.
    func whyNotReady(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> ChipError {
        let mode = try bus.readRegister(Self.mode.register, at: address) & Self.mode.mask
        return mode == 0 ? .wasReset(chip: name, at: bus.place(address)) : .notReady(chip: name, at: bus.place(address))
    }
}
