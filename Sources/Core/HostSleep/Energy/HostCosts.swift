/// The time and the energy that stopping and booting a host take, and its power meanwhile, at the board's 5 V.
///
/// A sleep saves energy where the host would use more by idling than by stopping, being off and booting.
public struct HostCosts: Sendable, Equatable {
    /// Seconds from switching on the supply until the daemon answers; `bootJoules` is the energy used meanwhile.
    public var bootSeconds: Double
    public var bootJoules: Double
    /// Seconds from the request to power off until the system has halted; `stopMilliwatts` is the draw meanwhile.
    public var stopSeconds: Double
    public var stopMilliwatts: Double
    /// Milliwatts of the halted host until its supply is cut.
    public var haltedMilliwatts: Double
    public var idleMilliwatts: Double

    /// The share of a battery's energy that reaches the board's 5 V, as assumed for a usual boost converter.
    public static let converterEfficiency = 0.85

    public init(
        bootSeconds: Double, bootJoules: Double, stopSeconds: Double, stopMilliwatts: Double, haltedMilliwatts: Double,
        idleMilliwatts: Double
    ) {
        self.bootSeconds = bootSeconds
        self.bootJoules = bootJoules
        self.stopSeconds = stopSeconds
        self.stopMilliwatts = stopMilliwatts
        self.haltedMilliwatts = haltedMilliwatts
        self.idleMilliwatts = idleMilliwatts
    }

    /// The seconds that stopping, waiting for the cut of the supply and booting take together.
    public func cycleSeconds(cutDelay: Double) -> Double { stopSeconds + cutDelay + bootSeconds }

    /// The joules that stopping, waiting for the cut of the supply and booting take together.
    public func cycleJoules(cutDelay: Double) -> Double {
        bootJoules + (stopMilliwatts * stopSeconds + haltedMilliwatts * cutDelay) / 1000
    }

    /// The shortest time in seconds between two needs of clients for which a sleep saves energy; nil where no sleep
    /// does.
    ///
    /// - Parameters:
    ///   - cutDelay: Seconds from the system's halt until the switch cuts the supply.
    ///   - offMilliwatts: The switch's draw while the host is off, at the board's 5 V.
    public func breakEven(cutDelay: Double, offMilliwatts: Double) -> Double? {
        guard idleMilliwatts > offMilliwatts else { return nil }
        let seconds = cycleSeconds(cutDelay: cutDelay)
        let more = cycleJoules(cutDelay: cutDelay) - idleMilliwatts * seconds / 1000
        return seconds + max(0, more / ((idleMilliwatts - offMilliwatts) / 1000))
    }
}
