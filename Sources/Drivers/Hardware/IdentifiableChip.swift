/// A kind of chip that can be identified on a bus by the contents of its registers.
///
/// Its address alone does not identify a chip, since several kinds of sensor share most addresses.
public protocol IdentifiableChip: Sendable {
    /// The chip's name in board files and messages.
    static var name: String { get }
    /// The addresses that the chip can have, its usual one first.
    static var addresses: [I2CAddress] { get }
    /// Whether the chip can need a write before its identity can be read; such a chip is tried last.
    static var writesToIdentify: Bool { get }
    /// Whether the identity check itself can harm other chips that can have the same address.
    static var isAskedByNameOnly: Bool { get }
    /// Checks the chip's identity; where another chip answers, undoes the check's own writes and throws
    /// `wrongIdentity`.
    static func checkIdentity(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Whether the chip, whose identity was already checked, is likelier of this kind than of another with the same
    /// identity.
    static func isLikely(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(BusError) -> Bool
    init(at address: I2CAddress)
}

extension IdentifiableChip {
    public static var writesToIdentify: Bool { false }
    public static var isAskedByNameOnly: Bool { false }

    public static func isLikely(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(BusError) -> Bool { true }

    /// Reads one identity register, and throws `wrongIdentity` unless it holds the expected value.
    public static func expect(
        _ expected: UInt8, in register: UInt8, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegister(register, at: address)
        guard found == expected else {
            throw .wrongIdentity(
                chip: name, register: register, expected: expected, found: found, at: bus.chip(address))
        }
    }
}
