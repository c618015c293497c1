public import Hardware
public import HostSleep

/// The models of host switches, which cut and restore a Raspberry Pi's supply, that Sextant drives; the raw values are
/// their names in board files.
public enum HostSwitchModel: String, Sendable, Hashable, CaseIterable {
    /// The clock in the power chip of a Raspberry Pi 5, Compute Module 5 or 500.
    case rtc
    /// PiSupply's PiJuice and PiJuice Zero.
    case pijuice
    /// UUGear's Witty Pi 4.
    case wittyPi4
    /// Silicognition's LiFePO4wered/Pi+.
    case lifepo4wered
    case piSugar3
    /// UUGear's Witty Pi 5 HAT+.
    case wittyPi5
    /// A DS3231 whose interrupt sets a latch that supplies the board.
    case latch
}

extension HostSwitchModel {
    private static let day = 86_400.0
    /// The longest time ahead, in seconds, to which an alarm with only a day of the month can be set: the shortest
    /// month less one day.
    private static let month = 27 * day
    /// The longest time ahead, in seconds, to which an alarm that is stored in seconds since 1970 may be set: ten
    /// years.
    private static let years = 3650 * day

    public var traits: HostSwitchTraits {
        switch self {
        case .rtc:
            HostSwitchTraits(
                horizon: HostSwitchModel.years, backstop: nil, tellsCause: false, proof: .chip, cutTrigger: .halt,
                cutDelay: 0)
        case .pijuice:
            HostSwitchTraits(
                horizon: HostSwitchModel.month,
                backstop: HostSwitchTraits.Backstop(unit: 60, most: PiJuice.longestWatchdog), tellsCause: true,
                proof: .chip, cutTrigger: .command, cutDelay: 30)
        case .wittyPi4:
            HostSwitchTraits(
                horizon: HostSwitchModel.month, backstop: HostSwitchTraits.Backstop(unit: 3600, most: 127),
                tellsCause: true, proof: .chip, cutTrigger: .pulse, cutDelay: 25)
        case .lifepo4wered:
            HostSwitchTraits(
                horizon: HostSwitchModel.years, backstop: HostSwitchTraits.Backstop(unit: 60, most: 65_535),
                tellsCause: false, proof: .chip, cutTrigger: .command, cutDelay: 30)
        case .piSugar3:
            HostSwitchTraits(
                horizon: HostSwitchModel.day, backstop: nil, tellsCause: false, proof: .chip, cutTrigger: .command,
                cutDelay: 30)
        case .wittyPi5:
            HostSwitchTraits(
                horizon: HostSwitchModel.month, backstop: nil, tellsCause: true, proof: .request,
                cutTrigger: .command, cutDelay: 30)
        case .latch:
            HostSwitchTraits(
                horizon: HostSwitchModel.month, backstop: nil, tellsCause: true, proof: .chip, cutTrigger: .halt,
                cutDelay: 0)
        }
    }

    /// The power that the switch itself draws from the battery while the host is off, in milliwatts.
    ///
    /// PiJuice: 1.65 mA, measured (its issue 1078). LiFePO4wered: 8 µA, its designer's figure. Raspberry Pi 5: 3 mA at
    /// 5 V by its documentation, through a converter with an efficiency of 0.85. PiSugar 3: at most 0.14 mA, because
    /// the maker states that the clock runs for a year. The Witty Pis' 1 mA and the latch's figure are assumptions.
    public var offMilliwatts: Double {
        switch self {
        case .rtc: 15 / 0.85
        case .pijuice: 1.65 * 3.7
        case .wittyPi4, .wittyPi5: 1.0 * 3.7
        case .lifepo4wered: 0.008 * 3.2
        case .piSugar3: 0.14 * 3.7
        case .latch: 0.02
        }
    }

    /// The address at which the switch answers unless the user changed it; nil for a model that is on no I2C bus.
    public var usualAddress: I2CAddress? {
        switch self {
        case .rtc: nil
        case .pijuice: PiJuice.usualAddress
        case .wittyPi4: WittyPi4.usualAddress
        case .lifepo4wered: LiFePO4wered.usualAddress
        case .piSugar3: PiSugar3.usualAddress
        case .wittyPi5: WittyPi5.usualAddress
        case .latch: Latch.usualAddress
        }
    }

    /// Whether the switch is a chip on an I2C bus.
    public var isOnBus: Bool { usualAddress != nil }
}
