public import Hardware

/// The search for the magnetometers on a bus.
public struct MagnetometerSearch: Sendable {
    /// The model that the board file names; nil to find any model.
    public var model: MagnetometerModel?
    /// The address that the board file gives; nil to search all possible addresses.
    public var address: I2CAddress?

    /// The polarity that the board file gives for a model with bridges; nil for the driver's own choice.
    public var polarity: SetResetPolarity?

    public init(
        model: MagnetometerModel? = nil, address: I2CAddress? = nil, polarity: SetResetPolarity? = nil
    ) {
        self.model = model
        self.address = address
        self.polarity = polarity
    }

    /// Returns a driver for every magnetometer identified by reading, or for the first identified after a write.
    ///
    /// The list follows the catalogue's order and has at least one driver. The chips are not configured yet.
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
