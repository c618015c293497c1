/// The bus and address of a chip, for messages.
public struct ChipPlace: Sendable, Hashable {
    /// The bus's name as the caller gave it.
    public var bus: String
    public var address: I2CAddress

    public init(bus: String, address: I2CAddress) {
        self.bus = bus
        self.address = address
    }
}

extension ChipPlace: CustomStringConvertible {
    public var description: String { "\(bus), address \(address)" }
}

extension I2CBus where Self: ~Copyable {
    public func place(_ address: I2CAddress) -> ChipPlace { ChipPlace(bus: name, address: address) }
}
