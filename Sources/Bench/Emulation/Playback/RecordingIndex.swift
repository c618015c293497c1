import SextantUnits

/// The positions in a recording at which epochs begin, and the time from each epoch to the next, found from the times
/// in the recorded messages.
///
/// An epoch begins with the first message of a new time; a message without a time belongs to the epoch before it.
struct RecordingIndex: Sendable {
    /// The beginning of one epoch.
    struct Mark: Sendable, Hashable {
        /// The position in the recording of the epoch's first byte.
        var position: Int
        /// The time since the previous epoch in nanoseconds; 0 for the first epoch.
        var step: Int64
    }

    /// The largest difference in nanoseconds between times within one epoch (the iTOW of some receivers jitters).
    private static let tolerance: Int64 = 10_000_000
    /// If a message's time is earlier than its epoch's by at most this many nanoseconds, the message is late and does
    /// not begin a new epoch.
    private static let lateness: Int64 = 2_000_000_000
    /// The longest time between two epochs in nanoseconds; a longer difference is taken as a jump of the receiver's
    /// time.
    private static let longestStep: Int64 = 60_000_000_000

    private(set) var marks: [Mark] = []
    /// The median time between epochs in nanoseconds; one second if no time between epochs can be determined.
    private(set) var usualStep: Int64 = 1_000_000_000

    init(of bytes: [UInt8], from start: Int) {
        let messages = TimedMessage.all(in: bytes, from: start)
        let leapSeconds = messages.lazy.compactMap(\.leapSeconds).first ?? 18
        let times = messages.compactMap { message in
            message.timeOfDay(leapSeconds: leapSeconds).map { (message.position, $0) }
        }
        guard let first = times.first else { return }
        marks = [Mark(position: start, step: 0)]
        var current = first.1
        for (position, time) in times {
            let step = Self.difference(from: current, to: time)
            guard step > Self.tolerance || step < -Self.lateness else { continue }
            marks.append(Mark(position: position, step: step))
            current = time
        }
        mendJumps()
    }

    private mutating func mendJumps() {
        let isUsual = { (step: Int64) in step > 0 && step <= Self.longestStep }
        let steps = marks.map(\.step).filter(isUsual).sorted()
        if !steps.isEmpty { usualStep = steps[steps.count / 2] }
        for index in marks.indices.dropFirst() where !isUsual(marks[index].step) { marks[index].step = usualStep }
    }

    /// The difference of two times of day in nanoseconds, from minus to plus half a day.
    private static func difference(from earlier: Int64, to later: Int64) -> Int64 {
        let day = UTCInstant.nanosecondsPerDay
        let difference = (later - earlier) % day
        if difference > day / 2 { return difference - day }
        return difference < -day / 2 ? difference + day : difference
    }
}
