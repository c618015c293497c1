import Glibc
public import SextantUnits

/// An emulated accelerometer with a motion interrupt line, which is high during a motion and for a while after.
///
/// A motion begins at a speed above 0.5 m/s and ends below 0.3 m/s. The line rises 1 to 3 s after a motion begins and
/// falls 20 s after the motion ends, so that a stop of less than 20 s does not lower it. The sensor notices some
/// motions late, or not at all if they are over by then, and now and then it gives a false alarm.
public struct EmulatedMotionSensor: Sendable {
    /// The power draw in milliwatts of a LIS3DH at 10 Hz in low-power mode, 3 µA, with its voltage regulator.
    public static let draw = 0.04

    public struct Options: Sendable, Hashable {
        /// The instant on the bench's clock at which the trajectory starts.
        public var start = MonotonicInstant.zero
        /// The speed in metres per second above which a motion begins.
        public var movingSpeed = 0.5
        /// The speed in metres per second below which a motion ends.
        public var restingSpeed = 0.3
        /// The range of the delay, in seconds, from the beginning of a motion until the sensor notices it.
        public var delay = 1.0...3.0
        /// The probability that the sensor notices a motion late.
        public var missProbability = 0.05
        /// The range of the additional delay, in seconds, for a motion that the sensor notices late.
        public var missDelay = 10.0...60.0
        /// The number of seconds for which the interrupt line stays high after the end of a motion.
        public var hangover = 20.0
        public var falseAlarmsPerHour = 0.5
        /// The range of the length of a false alarm, in seconds; afterwards the interrupt line stays high as long as
        /// after a motion.
        public var falseAlarmLength = 5.0...20.0

        public init() {}
    }

    /// The instants of the bench's clock, in nanoseconds, at which the interrupt line changes; it rises at those with
    /// even indices and falls at the others.
    private let changes: [Int64]

    public init(trajectory: Trajectory, seed: UInt64, options: Options = Options()) {
        var random = SplitMix64(seed: seed)
        var asserted: [Range<Double>] = []
        for motion in EmulatedMotionSensor.motions(of: trajectory, options) {
            var delay = random.next(in: options.delay)
            if random.nextUnit() < options.missProbability { delay += random.next(in: options.missDelay) }
            guard motion.lowerBound + delay < motion.upperBound else { continue }
            asserted.append(motion.lowerBound + delay..<motion.upperBound + options.hangover)
        }
        asserted += EmulatedMotionSensor.falseAlarms(until: trajectory.duration, options, &random)
        changes = MaskIntervals(intervals: asserted).intervals.flatMap { interval in
            [interval.lowerBound, interval.upperBound].map {
                options.start.nanoseconds + Int64(($0 * 1e9).rounded())
            }
        }
    }

    /// The motions of a trajectory in seconds since its start; two motions are joined if the stop between them is
    /// shorter than the time for which the interrupt line stays high after a motion (`hangover`).
    private static func motions(of trajectory: Trajectory, _ options: Options) -> [Range<Double>] {
        var motions: [Range<Double>] = []
        var begin: Double?
        let seconds = Int(trajectory.duration.rounded(.up))
        for second in 0...(seconds + 1) {
            let time = Double(second)
            let speed = second <= seconds ? trajectory.position(at: trajectory.startTime + time).speed : 0
            if begin == nil, speed > options.movingSpeed { begin = time }
            guard let since = begin, speed < options.restingSpeed else { continue }
            if let last = motions.last, since - last.upperBound < options.hangover {
                motions[motions.count - 1] = last.lowerBound..<time
            } else {
                motions.append(since..<time)
            }
            begin = nil
        }
        return motions
    }

    /// The false alarms, at the random times of a Poisson process.
    private static func falseAlarms(
        until end: Double, _ options: Options, _ random: inout SplitMix64
    ) -> [Range<Double>] {
        guard options.falseAlarmsPerHour > 0 else { return [] }
        var alarms: [Range<Double>] = []
        var time = 0.0
        while true {
            time -= log(1 - random.nextUnit()) * 3600 / options.falseAlarmsPerHour
            guard time < end else { return alarms }
            alarms.append(time..<time + random.next(in: options.falseAlarmLength) + options.hangover)
        }
    }

    public func level(at instant: MonotonicInstant) -> Bool { countOfChanges(upTo: instant) % 2 == 1 }

    /// The next instant after the given one at which the interrupt line rises or falls; nil if it no longer changes.
    public func nextChange(after instant: MonotonicInstant) -> MonotonicInstant? {
        let index = countOfChanges(upTo: instant)
        return index < changes.count ? MonotonicInstant(nanoseconds: changes[index]) : nil
    }

    private func countOfChanges(upTo instant: MonotonicInstant) -> Int {
        changes.partitioningIndex { $0 > instant.nanoseconds }
    }
}
