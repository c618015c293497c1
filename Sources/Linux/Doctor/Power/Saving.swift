internal import Boards

/// A draw of power that a tracker does not need, with the change that ends it.
public struct Saving: Sendable, Equatable {
    /// The saving's name everywhere.
    public var name: String
    /// The finding in words, such as "Wi-Fi is on".
    public var what: String
    public var change: Mend
    /// The measured saving; nil where no measurement is known.
    public var measurement: Measurement?
    /// The function that the owner loses with the change.
    public var loss: String

    /// A measurement that was published elsewhere.
    public struct Measurement: Sendable, Equatable {
        /// Unit: milliwatts at the 5 V input.
        public var milliwatts: Double
        /// The publication, and what was measured in it.
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

/// The power that a host draws while idle, and the savings that are possible.
public struct PowerAdvice: Sendable, Equatable {
    public private(set) var savings: [Saving]
    /// The savings that could not be examined, and why.
    public private(set) var unknown: [String]
    /// The host's present idle draw in milliwatts; nil where no measurement of this model is known.
    public private(set) var idleNow: Double?
    /// The idle draw in milliwatts after all measured savings; nil where no measurement of this model is known.
    public private(set) var idleAfter: Double?
    /// The source of the model's measurement.
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

    /// The power that all measured savings would save together.
    ///
    /// Unit: milliwatts. On a model that was also measured with everything off, the sum is limited to the measured
    /// difference.
    public var total: Double? {
        guard let idleNow, let idleAfter else { return nil }
        return idleNow - idleAfter
    }
}

/// A model's measured idle draw, as shipped and with everything off that a tracker does not need.
struct ModelDraw {
    /// The idle draw as shipped, in milliwatts.
    var shipped: Double
    /// The idle draw with everything off, in milliwatts; nil where it was not measured.
    var least: Double?
    var source: String

    /// The model's present draw, where parts that draw `stillToSave` milliwatts are still on.
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
