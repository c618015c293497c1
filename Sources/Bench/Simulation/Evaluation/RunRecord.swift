/// The record of one run: the receiver's states, the delivered locations, and the energy of motion sensor and host.
///
/// All times are Unix seconds. The receiver is off until the first change of state.
public struct RunRecord: Sendable, Hashable {
    /// A change of the receiver to `state` at `time`.
    public struct StateChange: Sendable, Hashable {
        public var time: Double
        public var state: DrawState

        public init(time: Double, state: DrawState) {
            self.time = time
            self.state = state
        }
    }

    /// A location that reached the clients.
    public struct Delivery: Sendable, Hashable {
        public var time: Double
        /// The time at which the location was valid, by the receiver's clock; `time` is later by the duration of the
        /// transmission.
        public var validAt: Double
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double
        /// The radius that holds 68 % of the errors, in metres.
        public var horizontalAccuracy: Double

        /// - Parameter validAt: The time at which the location was valid, by the receiver's clock; nil if it equals
        ///   `time`.
        public init(
            time: Double, validAt: Double? = nil, latitude: Double, longitude: Double, horizontalAccuracy: Double
        ) {
            self.time = time
            self.validAt = validAt ?? time
            self.latitude = latitude
            self.longitude = longitude
            self.horizontalAccuracy = horizontalAccuracy
        }
    }

    /// Energy that the motion sensor or the host spent evenly over a span of time; the span of a host's wake-up has no
    /// length.
    public struct EnergyUse: Sendable, Hashable {
        public var from: Double
        public var until: Double
        public var joules: Double

        public init(from: Double, until: Double, joules: Double) {
            precondition(from <= until, "a span ends after it begins")
            self.from = from
            self.until = until
            self.joules = joules
        }

        /// The part of the energy, in joules, that is spent between `start` and `end`; energy spent at one instant
        /// counts in full if this instant lies in the range, ends included.
        func joules(from start: Double, until end: Double) -> Double {
            guard until > from else { return (start...end).contains(from) ? joules : 0 }
            return joules * max(0, min(until, end) - max(from, start)) / (until - from)
        }
    }

    /// A span of time in one state.
    struct Span {
        var state: DrawState
        var from: Double
        var until: Double
    }

    public var states: [StateChange] = []
    public var deliveries: [Delivery] = []
    /// The energy that the motion sensor used; empty if the board has no motion sensor.
    public var sensorUses: [EnergyUse] = []
    /// The energy that the host used: one element for each wake-up, and others for its constant draw.
    public var hostUses: [EnergyUse] = []

    public init() {}

    /// Appends a period of cyclic tracking as changes of state: the receiver tracks for `trackingShare` of every second
    /// and sleeps for the rest.
    ///
    /// The receiver is tracking at `start` and at `end`. Times are rounded to milliseconds, as in the written events.
    public mutating func appendCycles(from start: Double, until end: Double, trackingShare: Double) {
        guard trackingShare < 1 else { return }
        for second in 0... {
            let rest = start + Double(second) + trackingShare
            guard rest < end else { return }
            states.append(StateChange(time: Self.milliseconds(rest), state: .sleep))
            let next = min(start + Double(second) + 1, end)
            states.append(StateChange(time: Self.milliseconds(next), state: .track))
        }
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    /// The receiver's states as consecutive spans that cover the time from `start` to `end` without gaps.
    func spans(from start: Double, until end: Double) -> [Span] {
        var spans: [Span] = []
        var current = Span(state: .off, from: start, until: end)
        for change in states.sorted(by: { $0.time < $1.time }) where change.time <= end {
            if change.time > current.from {
                current.until = change.time
                spans.append(current)
                current = Span(state: change.state, from: change.time, until: end)
            } else {
                current.state = change.state
            }
        }
        if end > current.from { spans.append(current) }
        return spans
    }
}
