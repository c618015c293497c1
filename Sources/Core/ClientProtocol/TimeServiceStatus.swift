internal import ClientVocabulary
internal import SextantJSON

/// Whether the host's time daemon (chrony) accepts the time samples that Sextant's daemon sends.
public enum TimeSinkState: UInt8, Sendable, CaseIterable {
    /// No sample was sent yet.
    case untried = 0
    case takes = 1
    /// No program listens at the time daemon's socket.
    case absent = 2
    /// Sextant's daemon has no permission to write to the time daemon's socket.
    case forbidden = 3
    /// The time daemon does not read from its socket, or writing to the socket fails otherwise.
    case failed = 4

    var name: StaticString {
        switch self {
        case .untried: "untried"
        case .takes: "takes"
        case .absent: "absent"
        case .forbidden: "forbidden"
        case .failed: "failed"
        }
    }

    /// What the user must do so that samples are accepted, in a sentence; nil if nothing is needed.
    public func mend(isPulse: Bool) -> String? {
        switch self {
        case .untried, .takes: nil
        case .absent:
            "nothing listens at chrony's socket: copy chrony-sextant.conf from /usr/share/doc/sextant/examples to "
                + "/etc/chrony/conf.d/sextant.conf, \(isPulse ? "take the # from its line of GPPS, " : "")"
                + "then: sudo systemctl restart chrony"
        case .forbidden:
            "chrony's socket belongs to root: chrony has to be restarted with the package's drop-in for its unit: "
                + "sudo systemctl daemon-reload && sudo systemctl restart chrony"
        case .failed: "chrony's socket takes no samples: sudo systemctl restart chrony"
        }
    }
}

/// The state of the time service, which passes the receiver's time to the host's time daemon; a part of the answer to a
/// `status` request.
public struct TimeServiceStatus: Sendable {
    /// The state of one source of time samples: the receiver's messages, or its time pulses (PPS).
    public struct Source: Sendable {
        public var sink: TimeSinkState
        /// The number of time samples of this source since the daemon started.
        public var samples: UInt64
        public var refused: [Refused]
        /// The receiver's time less the wall clock's at the newest sample, in seconds; nil if there was no sample.
        public var offset: Double?
        /// Seconds since the newest time sample; nil if there was none.
        public var age: Double?

        public init(sink: TimeSinkState, samples: UInt64, refused: [Refused], offset: Double?, age: Double?) {
            self.sink = sink
            self.samples = samples
            self.refused = refused
            self.offset = offset
            self.age = age
        }
    }

    /// The number of epochs that gave no time sample, for one reason.
    public struct Refused: Sendable {
        public var name: StaticString
        public var count: UInt64

        public init(name: StaticString, count: UInt64) {
            self.name = name
            self.count = count
        }
    }

    /// How often and how long the receiver is switched on only to get the time, while no client needs it.
    public struct Demand: Sendable {
        /// The seconds from the end of one reception of the time until the next begins.
        public var every: Double
        /// The seconds from the first to the last time sample of one reception.
        public var seconds: Double
        /// Whether the receiver must be on at this moment only to get the time.
        public var isOn: Bool
        /// The energy in joules that the receiver has used since the daemon's start only to get the time; nil if it is
        /// not known.
        public var joules: Double?

        public init(every: Double, seconds: Double, isOn: Bool, joules: Double?) {
            self.every = every
            self.seconds = seconds
            self.isOn = isOn
            self.joules = joules
        }
    }

    public var messages: Source
    /// The state of the samples from time pulses (PPS); nil if no pulses are timed.
    public var pulse: Source?
    /// The mean time in seconds from a time pulse to the first byte of the messages about that pulse's second; nil
    /// until it is learnt.
    public var delay: Double?
    /// How often and how long the receiver is switched on only to get the time; nil if it never is.
    public var demand: Demand?

    public init(messages: Source) { self.messages = messages }

    func append(to text: inout TextBuffer) {
        text.beginObject(.time)
        messages.append(isPulse: false, to: &text)
        if let pulse {
            text.beginObject(.pulse)
            pulse.append(isPulse: true, to: &text)
            text.member(.delay, delay, decimals: 6)
            text.endElement()
        }
        if let demand {
            text.beginObject(.demand)
            text.member(.every, demand.every, decimals: 0)
            text.member(.seconds, demand.seconds, decimals: 0)
            text.member(.wanted, demand.isOn)
            text.member(.joules, demand.joules, decimals: 3)
            text.endElement()
        }
        text.endElement()
    }
}

extension TimeServiceStatus.Source {
    fileprivate func append(isPulse: Bool, to text: inout TextBuffer) {
        text.member(.chrony, literal: sink.name)
        text.member(.detail, sink.mend(isPulse: isPulse))
        text.member(.samples, samples)
        text.member(.offset, offset, decimals: 9)
        text.member(.age, age, decimals: 1)
        text.beginArray(.refused)
        for refusal in refused {
            text.beginObject()
            text.member(.why, literal: refusal.name)
            text.member(.count, refusal.count)
            text.endElement()
        }
        text.endArray()
    }
}
