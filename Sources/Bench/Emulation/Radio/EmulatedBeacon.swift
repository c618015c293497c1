public import SextantUnits

/// A beacon that sends, and the way from it to the board.
public struct EmulatedBeacon: Sendable {
    /// The structures of its advertisement.
    public var advertisement: [UInt8]
    /// Six bytes, the last of its text first.
    public var address: [UInt8]
    /// Seconds from one advertisement to the next, to which the standard adds up to 10 ms by chance.
    public var interval: Double
    /// The mean strength at the board, in dBm; nil while the beacon is out of reach.
    public var level: Double?
    /// The scatter of single advertisements, and of the mean over 15 s, in dB.
    public var fading = (quick: 0.0, slow: 0.0)

    public init(
        advertisement: [UInt8], address: [UInt8] = [1, 0, 0, 0, 0, 0xC0], interval: Double = 0.1, level: Double? = -60
    ) {
        self.advertisement = advertisement
        self.address = address
        self.interval = interval
        self.level = level
    }
}

/// A sender under way: when it sends next, and how its mean strength has drifted.
public struct BeaconSender: Sendable {
    var beacon: EmulatedBeacon
    /// The instant of the next advertisement.
    public private(set) var next: MonotonicInstant
    private var drift = 0.0

    /// Seconds after which the slow part of fading is forgotten.
    private static let memory = 15.0

    public init(_ beacon: EmulatedBeacon, next: MonotonicInstant) {
        self.beacon = beacon
        self.next = next
    }

    /// Sends at `next`, and gives the strength at the board in dBm; nil out of reach.
    public mutating func send(_ random: inout SplitMix64) -> Double? {
        let gap = beacon.interval + random.next(in: 0...0.01)
        next = next.advanced(byNanoseconds: Int64(gap * 1e9))
        let kept = max(0, 1 - gap / BeaconSender.memory)
        drift = kept * drift + (1 - kept * kept).squareRoot() * beacon.fading.slow * BeaconSender.normal(&random)
        return beacon.level.map { $0 + drift + beacon.fading.quick * BeaconSender.normal(&random) }
    }

    /// A number of variance 1, as the sum of twelve even ones.
    private static func normal(_ random: inout SplitMix64) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + random.nextUnit() }
    }
}
