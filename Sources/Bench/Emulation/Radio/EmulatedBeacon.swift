public import SextantUnits

/// A Bluetooth beacon that advertises, and the radio path from the beacon to the board.
public struct EmulatedBeacon: Sendable {
    /// The data structures (AD structures) of the beacon's advertisements.
    public var advertisement: [UInt8]
    /// The six bytes of the beacon's Bluetooth address, in the reverse of the order in which an address is written as
    /// text.
    public var address: [UInt8]
    /// Seconds from one advertisement to the next, without the random delay of up to 10 ms that the standard adds.
    public var interval: Double
    /// The mean received strength at the board, in dBm; nil while the beacon is out of reach.
    public var level: Double?
    /// The standard deviations in dB of the received strength: from one advertisement to the next (`quick`), and of the
    /// mean over some 15 s (`slow`).
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

/// A beacon in operation: when it advertises next, and how far its mean strength has drifted.
public struct BeaconSender: Sendable {
    var beacon: EmulatedBeacon
    /// The instant of the next advertisement.
    public private(set) var next: MonotonicInstant
    private var drift = 0.0

    /// The time constant of the slow fading, in seconds.
    private static let memory = 15.0

    public init(_ beacon: EmulatedBeacon, next: MonotonicInstant) {
        self.beacon = beacon
        self.next = next
    }

    /// Sends the advertisement that is due at `next`, and returns its received strength at the board in dBm; nil if the
    /// beacon is out of reach.
    public mutating func send(_ random: inout SplitMix64) -> Double? {
        let gap = beacon.interval + random.next(in: 0...0.01)
        next = next.advanced(byNanoseconds: Int64(gap * 1e9))
        let kept = max(0, 1 - gap / BeaconSender.memory)
        drift = kept * drift + (1 - kept * kept).squareRoot() * beacon.fading.slow * BeaconSender.normal(&random)
        return beacon.level.map { $0 + drift + beacon.fading.quick * BeaconSender.normal(&random) }
    }

    /// A random number of variance 1 and mean 0, as the sum of twelve evenly distributed ones.
    private static func normal(_ random: inout SplitMix64) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + random.nextUnit() }
    }
}
