/// What one register of a chip is set to, in its data sheet's fields.
///
/// A type for each register: a value cannot be written into another register than its own.
public protocol RegisterValue: Sendable {
    static var register: UInt8 { get }
    var rawValue: UInt8 { get }
}

extension I2CBus where Self: ~Copyable {
    /// Sets one register.
    public mutating func set<Value: RegisterValue>(_ value: Value, at address: I2CAddress) throws(ChipError) {
        try writeRegister(Value.register, value.rawValue, at: address)
    }
}
