public import Hardware

/// The drivers of the host switches that are on I2C buses.
public enum HostSwitchCatalogue {
    /// The driver of a model at `address` or, if that is nil, at the model's usual address; nil for a model that is on
    /// no I2C bus.
    public static func chip(_ model: HostSwitchModel, at address: I2CAddress? = nil) -> (any HostSwitchChip)? {
        guard let address = address ?? model.usualAddress else { return nil }
        switch model {
        case .rtc: return nil
        case .pijuice: return PiJuice(at: address)
        case .wittyPi4: return WittyPi4(at: address)
        case .lifepo4wered: return LiFePO4wered(at: address)
        case .piSugar3: return PiSugar3(at: address)
        case .wittyPi5: return WittyPi5(at: address)
        case .latch: return Latch(at: address)
        }
    }
}
