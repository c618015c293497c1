/// A kind of chip that can be identified on a bus by the contents of its registers.
///
/// The address alone does not identify a chip, because most addresses are shared by several kinds of sensors.
public protocol IdentifiableChip: Sendable {
    /// The chip's name in board files and messages.
    static var name: String { get }
    /// The addresses that the chip can have, its usual one first.
    static var addresses: [I2CAddress] { get }
    /// Whether the identity check can need a write before the identity can be read; such chips are tried last.
    static var writesToIdentify: Bool { get }
    /// Whether the identity check can harm a chip of another kind at the address, so that it is made only if the board
    /// file gives the chip's name or address.
    static var isAskedByNameOnly: Bool { get }
    /// Checks the chip's identity; if another kind of chip answers, undoes the writes of the check and throws
    /// `wrongIdentity`.
    static func checkIdentity(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Whether a chip that passed the identity check is more likely of this kind than of another kind with an equal
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
