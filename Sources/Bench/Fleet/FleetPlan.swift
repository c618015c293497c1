internal import SextantUnits

/// The times at which each device of a simulated fleet has a fix and a network; one seed always gives the same plan.
public struct FleetPlan: Sendable {
    public let devices: Int
    /// Seconds from one fix of a device to its next fix.
    public let rate: Double
    /// The share of devices without a network at any time, 0 to 1.
    public let offline: Double
    private let seed: UInt64

    /// Seconds for which a device keeps or lacks its network; after that, it is drawn anew whether the device has one.
    private static let spell = 30.0

    public init(devices: Int, rate: Double, offline: Double, seed: UInt64) {
        precondition(devices > 0 && rate > 0 && (0...1).contains(offline))
        self.devices = devices
        self.rate = rate
        self.offline = offline
        self.seed = seed
    }

    /// Seconds from the start to a device's first fix; the first fixes of all devices are spread evenly over the time
    /// between two fixes of a device.
    public func firstFix(of device: Int) -> Double { rate * Double(device) / Double(devices) }

    /// Whether a device has a network at a time, given in seconds after the start.
    public func isOnline(_ device: Int, at seconds: Double) -> Bool {
        guard offline > 0 else { return true }
        let spell = UInt64(seconds / Self.spell)
        var random = SplitMix64(seed: seed ^ (UInt64(device) << 32 | spell))
        return random.nextUnit() >= offline
    }
}
