import Glibc
public import SextantUnits

/// An emulated accelerometer with a motion interrupt, whose level is high during a motion and for a while after.
///
/// A motion begins at a speed above 0.5 m/s and ends below 0.3 m/s. The level rises 1 to 3 s after a motion begins and
/// falls 20 s after the last motion, so that a stop of less than 20 s does not lower it. Some motions are noticed late,
/// or not at all if they are over by then, and now and then the sensor gives a false alarm.
public struct MotionSensor: Sendable {
    /// The sensor's draw in milliwatts: a LIS3DH at 10 Hz in low-power mode, 3 µA, and its regulator.
    public static let draw = 0.04

    public struct Options: Sendable, Hashable {
        /// The instant of the bench at which the trajectory starts.
        public var start = MonotonicInstant.zero
        /// Metres per second above which a motion begins.
        public var movingSpeed = 0.5
        /// Metres per second below which a motion ends.
        public var restingSpeed = 0.3
        /// Seconds from the beginning of a motion until the sensor notices it.
        public var delay = 1.0...3.0
        /// The probability that the sensor notices a motion late.
        public var missProbability = 0.05
        /// Additional seconds until the sensor notices a motion late.
        public var missDelay = 10.0...60.0
        /// Seconds for which the level stays high after the end of a motion.
        public var hangover = 20.0
        public var falseAlarmsPerHour = 0.5
        /// The length of a false alarm in seconds.
        public var falseAlarmLength = 5.0...20.0

        public init() {}
    }

    /// The instants at which the level changes, in nanoseconds; it rises at even indices and falls at odd ones.
    private let changes: [Int64]

    public init(trajectory: Trajectory, seed: UInt64, options: Options = Options()) {
        var random = SplitMix64(seed: seed)
        var asserted: [Range<Double>] = []
        for motion in MotionSensor.motions(of: trajectory, options) {
            var delay = random.next(in: options.delay)
            if random.nextUnit() < options.missProbability { delay += random.next(in: options.missDelay) }
            guard motion.lowerBound + delay < motion.upperBound else { continue }
            asserted.append(motion.lowerBound + delay..<motion.upperBound + options.hangover)
        }
        asserted += MotionSensor.falseAlarms(until: trajectory.duration, options, &random)
        changes = MaskIntervals(intervals: asserted).intervals.flatMap { interval in
            [interval.lowerBound, interval.upperBound].map {
                options.start.nanoseconds + Int64(($0 * 1e9).rounded())
            }
        }
    }

    /// Motions in seconds since the start; motions that a stop shorter than `hangover` separates are joined.
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

    /// False alarms at random times, by a Poisson process.
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

    /// The next rise or fall of the level after an instant; nil after the last one.
    public func nextChange(after instant: MonotonicInstant) -> MonotonicInstant? {
        let index = countOfChanges(upTo: instant)
        return index < changes.count ? MonotonicInstant(nanoseconds: changes[index]) : nil
    }

    private func countOfChanges(upTo instant: MonotonicInstant) -> Int {
        changes.partitioningIndex { $0 > instant.nanoseconds }
    }
}
