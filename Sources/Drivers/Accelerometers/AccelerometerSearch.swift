public import Hardware

/// The search for the accelerometers on a bus.
public struct AccelerometerSearch: Sendable {
    /// The model, if the board file names it; nil to find any model.
    public var model: AccelerometerModel?
    /// The I2C address, if the board file gives it; nil to search all possible addresses.
    public var address: I2CAddress?

    public init(model: AccelerometerModel? = nil, address: I2CAddress? = nil) {
        self.model = model
        self.address = address
    }

    /// Returns a driver for each accelerometer that reading alone identifies or, if there is none, for the first one
    /// identified after a write.
    ///
    /// The list has the order of `AccelerometerCatalogue` and at least one driver. The chips are not configured yet.
    public func run(over bus: inout some I2CBus & ~Copyable) throws(ChipSearchError) -> [any AccelerometerDriver] {
        let chips = AccelerometerCatalogue.chips.filter { model == nil || $0.model == model }
        let kind = model?.rawValue ?? "accelerometer"
        let search = ChipSearch(kind: kind, chips: chips, address: address, isNamed: model != nil)
        return try search.run(over: &bus).map { chips[$0.index].init(at: $0.address) }
    }
}
