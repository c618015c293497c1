internal import Emulation

/// When each device of a simulated fleet has a fix, and when it has a network; the same at every run of a seed.
public struct FleetPlan: Sendable {
    public let devices: Int
    /// Seconds from a device's fix to its next.
    public let rate: Double
    /// The share of devices without a network at any time, 0 to 1.
    public let offline: Double
    private let seed: UInt64

    /// Seconds for which a device has or lacks its network before that is drawn anew.
    private static let spell = 30.0

    public init(devices: Int, rate: Double, offline: Double, seed: UInt64) {
        precondition(devices > 0 && rate > 0 && (0...1).contains(offline))
        self.devices = devices
        self.rate = rate
        self.offline = offline
        self.seed = seed
    }

    /// Seconds from the start to a device's first fix; the fleet's are spread evenly over `rate`.
    public func firstFix(of device: Int) -> Double { rate * Double(device) / Double(devices) }

    /// Whether a device has a network, so many seconds after the start.
    public func isOnline(_ device: Int, at seconds: Double) -> Bool {
        guard offline > 0 else { return true }
        let spell = UInt64(seconds / Self.spell)
        var random = SplitMix64(seed: seed ^ (UInt64(device) << 32 | spell))
        return random.nextUnit() >= offline
    }
}
