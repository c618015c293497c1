internal import Boards

/// Something that draws power on a host and that a location tracker does not need, with the change that ends it.
public struct Saving: Sendable, Equatable {
    /// The saving's name in all output.
    public var name: String
    /// What draws power, in words such as "Wi-Fi is on".
    public var what: String
    public var change: Mend
    /// A published measurement of how much the change saves; nil if none is known.
    public var measurement: Measurement?
    /// What no longer works for the owner after the change.
    public var loss: String

    /// A measurement of power that somebody else has published.
    public struct Measurement: Sendable, Equatable {
        /// The saved power in milliwatts, at the 5 V input.
        public var milliwatts: Double
        /// The publication, and what was measured there.
        public var source: String
    }

    init(
        _ name: String, _ what: String, _ change: Mend, _ measurement: Measurement? = nil, loss: String
    ) {
        self.name = name
        self.what = what
        self.change = change
        self.measurement = measurement
        self.loss = loss
    }
}

extension Saving.Measurement {
    static let display = Saving.Measurement(
        milliwatts: 125,
        source:
            "25 mA at 5 V on a Pi Zero, with tvservice -o: Jeff Geerling, \"Raspberry Pi Zero - Conserve power\", 2015")
    static let light = Saving.Measurement(
        milliwatts: 25, source: "5 mA at 5 V for a light, on a Pi Zero: Jeff Geerling, as for the display")
    static let wireless = Saving.Measurement(
        milliwatts: 125,
        source: "25 mA at 5 V on a Zero WH without traffic: quietsche-entchen.de, \"Power Consumption\", 2021")
}

/// How much power a host draws while idle, and what would reduce it.
public struct PowerAdvice: Sendable, Equatable {
    public private(set) var savings: [Saving]
    /// The names of savings that could not be examined, each with the reason.
    public private(set) var unknown: [String]
    /// The host's present idle draw in milliwatts; nil if no measurement of this model is known.
    public private(set) var idleNow: Double?
    /// The idle draw in milliwatts after all measured savings; nil if no measurement of this model is known.
    public private(set) var idleAfter: Double?
    /// The publication that measured the idle draw of this model; nil if none is known.
    public private(set) var source: String?

    public init(_ facts: HostFacts) {
        var search = SavingSearch(facts)
        search.lookAtBootFiles()
        search.lookAtCommandLine()
        search.lookAtServices()
        savings = search.found
        unknown = search.unknown
        guard let idle = ModelDraw(facts) else { return }
        source = idle.source
        let still = savings.compactMap { $0.measurement?.milliwatts }.reduce(0, +)
        idleNow = idle.now(stillToSave: still)
        idleAfter = max(idle.least ?? 0, idle.now(stillToSave: still) - still)
    }

    /// How much power all measured savings save together, in milliwatts; nil if no measurement of this model is known.
    ///
    /// The sum is limited so that the draw does not fall below the least draw that was measured on this model, if that
    /// is known.
    public var total: Double? {
        guard let idleNow, let idleAfter else { return nil }
        return idleNow - idleAfter
    }
}

/// A model's measured idle draw: as shipped, and with everything off that a location tracker does not need.
struct ModelDraw {
    /// The idle draw as shipped, in milliwatts.
    var shipped: Double
    /// The idle draw in milliwatts with everything off that a tracker does not need; nil if it was not measured.
    var least: Double?
    var source: String

    /// The model's present idle draw in milliwatts.
    ///
    /// - Parameter stillToSave: The measured draw of the parts that are still on, in milliwatts.
    func now(stillToSave: Double) -> Double {
        guard let least else { return shipped }
        return min(shipped, least + stillToSave)
    }

    init?(_ facts: HostFacts) {
        switch facts.model {
        case .zero2W?:
            self.init(600, 375, "CNX Software, 2021-12-09, Raspberry Pi OS Lite: 120 mA at 5 V, and 75 mA trimmed")
        case .threeB?:
            self.init(1400, nil, "Pi Dramble, \"Power Consumption Benchmarks\": idle, Raspbian Lite")
        case .threeBPlus?:
            self.init(1900, nil, "Pi Dramble, \"Power Consumption Benchmarks\": idle, Raspbian Lite")
        case .threeAPlus?: self.init(1100, nil, "assumption: a figure that is commonly reported")
        case .fourB?: self.init(2700, nil, "assumption: a figure that is commonly reported")
        case .fiveB?: self.init(3000, nil, "u-labs.de, \"about 3 W\" idle with Raspberry Pi OS 12")
        default:
            guard let host = facts.installation.board?.host else { return nil }
            self.init(host.idleMilliwatts, nil, "the board's file")
        }
    }

    private init(_ shipped: Double, _ least: Double?, _ source: String) {
        self.shipped = shipped
        self.least = least
        self.source = source
    }
}
