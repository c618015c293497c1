/// Where a chip is, for messages.
public struct ChipPlace: Sendable, Hashable {
    /// The bus's name, as it was asked for.
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
