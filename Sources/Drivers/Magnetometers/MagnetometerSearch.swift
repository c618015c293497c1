public import Hardware

/// The search for the magnetometers of a bus.
public struct MagnetometerSearch: Sendable {
    /// The model that the board file names; nil for whichever there is.
    public var model: MagnetometerModel?
    /// The address that the board file gives; nil for all that there are.
    public var address: I2CAddress?

    /// What the board file says of a chip whose model has one; nil for the driver's own.
    public var polarity: SetResetPolarity?

    public init(
        model: MagnetometerModel? = nil, address: I2CAddress? = nil, polarity: SetResetPolarity? = nil
    ) {
        self.model = model
        self.address = address
        self.polarity = polarity
    }

    /// A driver for every magnetometer that is found by reading, in the catalogue's order; for one where writing found it.
    ///
    /// It is at least one. The chips are not configured yet.
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
