/// The bus and address of a chip, for messages.
public struct ChipAddress: Sendable, Hashable {
    /// The bus's name as the caller gave it.
    public var bus: String
    public var address: I2CAddress

    public init(bus: String, address: I2CAddress) {
        self.bus = bus
        self.address = address
    }
}

extension ChipAddress: CustomStringConvertible {
    public var description: String { "\(bus), address \(address)" }
}

extension I2CBus where Self: ~Copyable {
    public func chip(_ address: I2CAddress) -> ChipAddress { ChipAddress(bus: name, address: address) }
}
