public import Hardware

/// The search for the magnetometers on a bus.
public struct MagnetometerSearch: Sendable {
    /// The model, if the board file names it; nil to find any model.
    public var model: MagnetometerModel?
    /// The I2C address, if the board file gives it; nil to search all possible addresses.
    public var address: I2CAddress?

    /// The polarity for a model with bridges, if the board file gives it; nil for the driver's own choice.
    public var polarity: SetResetPolarity?

    public init(
        model: MagnetometerModel? = nil, address: I2CAddress? = nil, polarity: SetResetPolarity? = nil
    ) {
        self.model = model
        self.address = address
        self.polarity = polarity
    }

    /// Returns a driver for each magnetometer that reading alone identifies or, if there is none, for the first one
    /// identified after a write.
    ///
    /// The list has the order of `MagnetometerCatalogue` and at least one driver. The chips are not configured yet.
    public func run(over bus: inout some I2CBus & ~Copyable) throws(ChipSearchError) -> [any MagnetometerDriver] {
        let chips = MagnetometerCatalogue.chips.filter { model == nil || $0.model == model }
        let kind = model?.rawValue ?? "magnetometer"
        let search = ChipSearch(kind: kind, chips: chips, address: address, isNamed: model != nil)
        return try search.run(over: &bus).map { driver(chips[$0.index], at: $0.address) }
    }

    private func driver(_ chip: any MagnetometerChip.Type, at address: I2CAddress) -> any MagnetometerDriver {
        let driver = chip.init(at: address)
        guard let polarity, var bridges = driver as? any SetResetMagnetometer else { return driver }
        bridges.polarity = polarity
        return bridges
    }
}
