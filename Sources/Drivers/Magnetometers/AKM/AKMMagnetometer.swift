internal import Hardware

/// A magnetometer by AKM that can be in another chip's package, behind the bus switch of that host chip.
protocol AKMMagnetometer: MagnetometerChip {
    /// The bus switch of the host chip in whose package this magnetometer can be.
    static var bypass: HostBypass { get }
    static var mode: AKMMode { get }
    /// The host chip whose closed switch leads to the magnetometer; nil where the magnetometer is connected directly.
    var host: I2CAddress? { get set }
    /// Checks the identity of the chip at `address`, which must answer.
    static func checkAnswer(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
}

/// The mode register of an AKM chip, and the mask of its mode bits, which are 0 in power-down.
struct AKMMode: Sendable {
    var register: UInt8
    var mask: UInt8
}

extension AKMMagnetometer {
    /// Checks the identity; if no chip answers, closes a host chip's switch, tries again, and reopens it on failure.
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
    /// Where the host was found before, throws unless that host answers and its switch is still closed.
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

    /// Explains a missing answer: where the host chip's switch has opened, both the host chip and this chip were reset.
    func explain(_ error: ChipError, over bus: inout some I2CBus & ~Copyable) -> ChipError {
        guard case .bus(let cause) = error, cause.kind == .noAcknowledge, let host else { return error }
        guard (try? Self.bypass.checkHost(at: host, over: &bus)) != nil else { return error }
        guard let isClosed = try? Self.bypass.isClosed(at: host, over: &bus) else { return error }
        return isClosed ? error : .wasReset(chip: name, at: bus.chip(address))
    }

    /// Why no data are ready: a chip in power-down was reset and lost the command to measure; otherwise it is still
    /// measuring.
    func whyNotReady(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> ChipError {
        let mode = try bus.readRegister(Self.mode.register, at: address) & Self.mode.mask
        return mode == 0 ? .wasReset(chip: name, at: bus.chip(address)) : .notReady(chip: name, at: bus.chip(address))
    }
}
