/// A chip's address on an I2C bus: seven bits, without the direction bit.
public struct I2CAddress: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

extension I2CAddress: CustomStringConvertible {
    public var description: String { rawValue.hexadecimal }
}

extension UInt8 {
    /// The value as data sheets write it, such as `0x1e`.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return (digits.count == 1 ? "0x0" : "0x") + digits
    }
}

/// An I2C bus as chip drivers use it, for chips whose registers have one-byte addresses.
///
/// Calls block until the transfer is over. A driver is straight-line code over this protocol; it stores only its chip's
/// address and state.
public protocol I2CBus: ~Copyable {
    /// The bus's name, for messages: `/dev/i2c-1`.
    var name: String { get }
    /// Reads `count` registers, at most 32, beginning with `register`; in one transfer if the adapter supports it.
    mutating func read(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(BusError) -> RegisterBytes
    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError)
    /// Writes 1 to 32 bytes in one message, which consists of the register's number and then all bytes.
    mutating func write(_ row: RegisterBytes, to register: UInt8, at address: I2CAddress) throws(BusError)
    /// Waits at least this time, because a chip needs it after a reset or during a measurement.
    mutating func wait(microseconds: Int)
}

extension I2CBus where Self: ~Copyable {
    /// Throws `unsupported`; this is the default for a bus that can write only one register per transfer.
    public mutating func write(_ row: RegisterBytes, to register: UInt8, at address: I2CAddress) throws(BusError) {
        throw BusError(
            .unsupported, bus: name, address: address, cause: "the adapter cannot write several bytes in one transfer")
    }

    /// Reads one register.
    public mutating func read(from register: UInt8, at address: I2CAddress) throws(BusError) -> UInt8 {
        try read(1, from: register, at: address)[0]
    }
}
