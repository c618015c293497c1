internal import Hardware

/// A magnetometer by AKM that can be in the package of another chip, its host chip, behind that chip's bus switch.
protocol AKMMagnetometer: MagnetometerChip {
    /// The bus switch of the host chip in whose package this magnetometer can be.
    static var bypass: HostBypass { get }
    static var mode: AKMMode { get }
    /// The host chip through whose closed switch the magnetometer is connected; nil if it is connected directly.
    var host: I2CAddress? { get set }
    /// Checks the identity of the chip at `address`; throws also if no chip answers there.
    static func checkAnswer(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
}

/// The mode register of an AKM chip, and the mask of its mode bits, which are 0 in power-down.
struct AKMMode: Sendable {
    var register: UInt8
    var mask: UInt8
}

extension AKMMagnetometer {
    /// Checks the identity; if no chip answers, closes the bus switch of a host chip and tries again.
    ///
    /// If that fails too, the switch is opened again.
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

    /// Finds the host chip in whose package the magnetometer is, if any.
    ///
    /// If the host chip is known already, it must still answer with its switch closed; otherwise an error is thrown.
    mutating func findHost(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.findBehindHost(at: address, over: &bus)
        guard address == Self.addresses[0] else { return }
        if let host {
            try Self.bypass.checkHost(at: host, over: &bus)
            guard try Self.bypass.isClosed(at: host, over: &bus) else {
                throw .wasReset(chip: name, at: bus.chip(address))
            }
        } else {
            host = try Self.bypass.throughHost(over: &bus)
        }
    }

    /// The error to report if the magnetometer does not answer: `wasReset` if the host chip's switch is open, because
    /// then both chips were reset; otherwise the given error.
    func explain(_ error: ChipError, over bus: inout some I2CBus & ~Copyable) -> ChipError {
        guard case .bus(let cause) = error, cause.kind == .noAcknowledge, let host else { return error }
        guard (try? Self.bypass.checkHost(at: host, over: &bus)) != nil else { return error }
        guard let isClosed = try? Self.bypass.isClosed(at: host, over: &bus) else { return error }
        return isClosed ? error : .wasReset(chip: name, at: bus.chip(address))
    }

    /// The error to report if no data are ready: `wasReset` if the chip is in power-down, because it then lost the
    /// command to measure; otherwise `notReady`.
    func whyNotReady(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> ChipError {
        let mode = try bus.readRegister(Self.mode.register, at: address) & Self.mode.mask
        return mode == 0 ? .wasReset(chip: name, at: bus.chip(address)) : .notReady(chip: name, at: bus.chip(address))
    }
}
