/// The value of one register of a chip, in terms of the fields of its data sheet.
///
/// Each register has its own type, so that its value cannot be written into another register.
public protocol RegisterValue: Sendable {
    static var register: UInt8 { get }
    var rawValue: UInt8 { get }
}

extension I2CBus where Self: ~Copyable {
    /// Writes a value into its register.
    public mutating func set<Value: RegisterValue>(_ value: Value, at address: I2CAddress) throws(ChipError) {
        try writeRegister(Value.register, value.rawValue, at: address)
    }
}
