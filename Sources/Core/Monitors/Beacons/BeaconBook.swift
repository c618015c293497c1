public import Beacons
public import SextantUnits

/// The beacons that an operator named or calibrated, and the difference between the strength at which this board
/// receives beacons and the strength that they state.
///
/// If a beacon's power at 1 m was measured on this board, it replaces the power that the beacon states, for distances,
/// for proximity and for regions alike. At most 256 beacons are kept.
public struct BeaconBook: Sendable {
    /// One beacon: what the operator stored of it, and what was received from it since the daemon's start.
    public struct Entry: Sendable, Hashable {
        public var identity: BeaconIdentity
        /// The beacon's name for people, unique among the known beacons; nil where it has no name.
        public var name: String?
        /// The strength at 1 m of the beacon's signal as measured on this board, in dBm; nil where it was not measured.
        public var calibratedPower: Int8?
        /// The power at 1 m that the beacon states, in dBm; nil if implausible, or if the beacon was not received since
        /// the daemon's start.
        public private(set) var statedPower: Int8?
        /// When the beacon was last received; nil where it was not received since the daemon's start.
        public private(set) var lastHeard: MonotonicInstant?
        /// The beacon's telemetry, such as its battery's state; nil where none was received.
        public private(set) var telemetry: BeaconTelemetry?
        private var sender: SenderAddress?

        public init(_ identity: BeaconIdentity, name: String? = nil, calibratedPower: Int8? = nil) {
            self.identity = identity
            self.name = name
            self.calibratedPower = calibratedPower
        }

        mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) {
            statedPower = heard.beacon.measuredPower
            lastHeard = instant
            sender = heard.sender
        }

        func isHeard(from sender: SenderAddress) -> Bool { self.sender == sender }

        mutating func heard(_ telemetry: BeaconTelemetry) { self.telemetry = telemetry }
    }

    public enum Problem: Error, Sendable, Hashable {
        /// The book of known beacons holds `maximumBeacons` already.
        case full
        /// Another beacon has the name.
        case nameTaken(by: BeaconIdentity)
    }

    private var beacons: [BeaconIdentity: Entry] = [:]
    /// The decibels by which this board receives a beacon at 1 m louder than the beacon states; added to the power that
    /// a beacon without a calibration states.
    public var gain = 0.0

    public static let maximumBeacons = 256
    public static let maximumNameBytes = 64
    /// The allowed values of `gain`, in decibels: antenna and radio can make beacons louder or weaker than they state.
    public static let gains: ClosedRange<Double> = -40...40

    public init() {}

    /// All beacons of the book, sorted by their identities.
    public var entries: [Entry] { beacons.values.sorted { $0.identity < $1.identity } }

    public subscript(identity: BeaconIdentity) -> Entry? { beacons[identity] }

    /// Stores a beacon's name, its power at 1 m, or both; what is nil stays as it was.
    public mutating func keep(
        _ identity: BeaconIdentity, name: String?, calibratedPower: Int8?
    ) throws(Problem) -> Entry {
        let owner = name.flatMap { name in beacons.values.first { $0.name == name && $0.identity != identity } }
        if let owner { throw .nameTaken(by: owner.identity) }
        guard beacons[identity] != nil || beacons.count < BeaconBook.maximumBeacons else { throw .full }
        var entry = beacons[identity] ?? Entry(identity)
        entry.name = name ?? entry.name
        entry.calibratedPower = calibratedPower ?? entry.calibratedPower
        beacons[identity] = entry
        return entry
    }

    /// - Returns: Whether the beacon was among the known beacons.
    public mutating func forget(_ identity: BeaconIdentity) -> Bool { beacons.removeValue(forKey: identity) != nil }

    /// Notes that a beacon was received, and adds to its advertisement the power at 1 m from which this board computes
    /// the distance.
    public mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) -> HeardBeacon {
        let identity = heard.beacon.identity
        beacons[identity]?.heard(heard, at: instant)
        var calibrated = heard
        if let power = beacons[identity]?.calibratedPower {
            calibrated.beacon.calibratedPower = power
        } else if gain != 0, let stated = heard.beacon.measuredPower {
            calibrated.beacon.calibratedPower = Int8(clamping: Int((Double(stated) + gain).rounded()))
        }
        return calibrated
    }

    public mutating func heard(_ telemetry: BeaconTelemetry, from sender: SenderAddress) {
        // Searching all beacons is cheap, because the book holds at most 256.
        for index in beacons.indices where beacons.values[index].isHeard(from: sender) {
            beacons.values[index].heard(telemetry)
        }
    }
}

/// The durable form: version (1 byte), bits (1 byte; 1: it has a name, 2: it has a calibrated power), the beacon's
/// UUID, major and minor, then the name and the power (1 byte) where there is one.
extension BeaconBook.Entry: Recorded {
    /// The name under which a beacon is stored: a prefix, then the beacon's identity.
    public static func rowName(_ identity: BeaconIdentity) -> String { rowPrefix + identity.description }

    public static let rowPrefix = "beacon "

    public static var blank: BeaconBook.Entry { BeaconBook.Entry(.blank) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        var bits: InlineArray<2, Bool> = [name != nil, calibratedPower != nil]
        try record.code(&bits)
        try identity.code(&record)
        try record.code(&name, where: bits[0])
        if let name { try record.check(!name.isEmpty && name.utf8.count <= BeaconBook.maximumNameBytes) }
        guard bits[1] else { return }
        var power = calibratedPower ?? 0
        try record.code(&power)
        try record.check(Beacon.possiblePower.contains(Int(power)))
        calibratedPower = power
    }
}
