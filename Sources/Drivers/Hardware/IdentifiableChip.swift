/// A kind of chip that can be found on a bus, by what its registers say.
///
/// Never by its address alone: most addresses of sensors are shared by several kinds.
public protocol IdentifiableChip: Sendable {
    /// The name that a board file gives it, for messages.
    static var name: String { get }
    /// Where it can answer, its usual address first.
    static var addresses: [I2CAddress] { get }
    /// Whether it may have to be written to before it can say who it is; such a chip is asked last.
    static var writesToIdentify: Bool { get }
    /// Whether even the question does harm to what else can be at its addresses.
    static var isAskedByNameOnly: Bool { get }
    /// Throws `wrongIdentity` where another chip answers; what was written by then is undone.
    static func checkIdentity(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Whether it is the likelier of two kinds that say the same of themselves; asked after its identity, by reading.
    static func isLikely(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(BusError) -> Bool
    init(at address: I2CAddress)
}

extension IdentifiableChip {
    public static var writesToIdentify: Bool { false }
    public static var isAskedByNameOnly: Bool { false }

    public static func isLikely(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(BusError) -> Bool { true }

    /// Reads one register of identity.
    ///
    /// It throws `wrongIdentity` unless the register holds what is expected.
    public static func expect(
        _ expected: UInt8, in register: UInt8, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegister(register, at: address)
        guard found == expected else {
            throw .wrongIdentity(
                chip: name, register: register, expected: expected, found: found, at: bus.place(address))
        }
    }
}
