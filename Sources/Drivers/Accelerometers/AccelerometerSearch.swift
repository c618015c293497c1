public import Hardware

/// The search for the accelerometers on a bus.
public struct AccelerometerSearch: Sendable {
    /// The model that the board file names; nil to find any model.
    public var model: AccelerometerModel?
    /// The address that the board file gives; nil to search all possible addresses.
    public var address: I2CAddress?

    public init(model: AccelerometerModel? = nil, address: I2CAddress? = nil) {
        self.model = model
        self.address = address
    }

    /// Returns a driver for every accelerometer identified by reading, or for the first identified after a write.
    ///
    /// The list follows the catalogue's order and has at least one driver. The chips are not configured yet.
    public func run(over bus: inout some I2CBus & ~Copyable) throws(ChipSearchError) -> [any AccelerometerDriver] {
        let chips = AccelerometerCatalogue.chips.filter { model == nil || $0.model == model }
        let kind = model?.rawValue ?? "accelerometer"
        let search = ChipSearch(kind: kind, chips: chips, address: address, isNamed: model != nil)
        return try search.run(over: &bus).map { chips[$0.index].init(at: $0.address) }
    }
}
