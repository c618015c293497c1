/// The energy and the time that a host takes to stop, to be off and to boot, at the board's 5 V.
///
/// The formulas are the energy balance of one sleep: what it costs to stop and to boot, against what idling costs.
public struct HostCosts: Sendable, Equatable {
    /// Seconds from power to the daemon's answering, and joules for them.
    public var bootSeconds: Double
    public var bootJoules: Double
    /// Seconds from the request to the halted system, and the milliwatts meanwhile.
    public var stopSeconds: Double
    public var stopMilliwatts: Double
    /// Milliwatts of the halted host until its supply is cut.
    public var haltedMilliwatts: Double
    public var idleMilliwatts: Double

    /// The part of a battery's energy that arrives at the board's 5 V: a usual boost converter, assumed.
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

    /// The seconds of stopping, being cut and booting.
    public func cycleSeconds(cutDelay: Double) -> Double { stopSeconds + cutDelay + bootSeconds }

    /// The joules of stopping, being cut and booting.
    public func cycleJoules(cutDelay: Double) -> Double {
        bootJoules + (stopMilliwatts * stopSeconds + haltedMilliwatts * cutDelay) / 1000
    }

    /// The seconds between two needs from which on a sleep costs less than staying on; nil where it never does.
    ///
    /// - Parameters:
    ///   - cutDelay: Seconds between the halted system and the cut.
    ///   - offMilliwatts: What the switch draws meanwhile, at the board's 5 V.
    public func breakEven(cutDelay: Double, offMilliwatts: Double) -> Double? {
        guard idleMilliwatts > offMilliwatts else { return nil }
        let seconds = cycleSeconds(cutDelay: cutDelay)
        let more = cycleJoules(cutDelay: cutDelay) - idleMilliwatts * seconds / 1000
        return seconds + max(0, more / ((idleMilliwatts - offMilliwatts) / 1000))
    }
}
