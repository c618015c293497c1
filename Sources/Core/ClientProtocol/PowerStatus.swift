public import ClientVocabulary
public import Power
internal import SextantJSON

/// The state of a GNSS receiver whose power the daemon can switch; a part of the answer to a `status` request.
public struct PowerStatus: Sendable {
    /// A present or past fault of the receiver.
    public struct Trouble: Sendable {
        public var kind: String
        /// The fault, in a sentence for people.
        public var message: String
        /// The number of times that the fault was noticed.
        public var count: Int
        /// Seconds since the fault was noticed most recently.
        public var secondsAgo: Double
        public var isOver: Bool

        public init(kind: String, message: String, count: Int, secondsAgo: Double, isOver: Bool) {
            self.kind = kind
            self.message = message
            self.count = count
            self.secondsAgo = secondsAgo
            self.isOver = isOver
        }
    }

    /// A span of time in which a client needed a fix and none came.
    public struct Outage: Sendable {
        public var reason: OutageReason
        /// The outage's reason as a part of a sentence, that is, without a capital letter and a full stop.
        public var message: String
        public var beganSecondsAgo: Double
        /// Seconds since the outage ended; nil while it lasts.
        public var endedSecondsAgo: Double?

        public init(reason: OutageReason, message: String, beganSecondsAgo: Double, endedSecondsAgo: Double?) {
            self.reason = reason
            self.message = message
            self.beganSecondsAgo = beganSecondsAgo
            self.endedSecondsAgo = endedSecondsAgo
        }
    }

    /// What the receiver does, or how it rests (saves power or is off).
    public enum State: String, Sendable {
        case starting, detecting, configuring, searching, tracking, savingOrbits, fallingAsleep, unresponsive
        case cyclicTracking, softwareSleep, hardwareSleep, off
    }

    public var state: State
    /// The receiver's model and firmware; nil until the receiver has reported them.
    public var receiver: String?
    /// Seconds until the receiver is started again to search for satellites; nil if no start is planned.
    public var nextStart: Double?
    public var isBackingOff: Bool
    /// The accuracy in metres that the most demanding client needs; 0 for the best possible, nil if no client needs a
    /// position.
    public var accuracy: Double?
    /// The radius in metres within which the board is with a probability of 68 %; it grows from one fix to the next.
    public var uncertainty: Double?
    /// The present outage, if it has lasted more than a minute, otherwise the most recent one that did; nil if there
    /// has been none.
    public var outage: Outage?
    /// The ways in which this receiver can rest.
    public var restKinds: [State]
    public var backup: LearnedState.Backup
    /// The number of times that the host's processor woke up since the daemon started.
    public var hostWakes: UInt64
    /// Which of the board's GPIO lines the daemon cannot use, and why; nil if it can use all.
    public var linesProblem: String?
    public var troubles: [Trouble]

    public init(
        state: State, receiver: String?, nextStart: Double?, isBackingOff: Bool, accuracy: Double?,
        uncertainty: Double?, outage: Outage? = nil, restKinds: [State], backup: LearnedState.Backup,
        hostWakes: UInt64, linesProblem: String?, troubles: [Trouble]
    ) {
        self.state = state
        self.receiver = receiver
        self.nextStart = nextStart
        self.isBackingOff = isBackingOff
        self.accuracy = accuracy
        self.uncertainty = uncertainty
        self.outage = outage
        self.restKinds = restKinds
        self.backup = backup
        self.hostWakes = hostWakes
        self.linesProblem = linesProblem
        self.troubles = troubles
    }

    func append(to text: inout TextBuffer) {
        text.beginObject(.power)
        text.member(.state, state.rawValue)
        text.member(.receiver, receiver)
        text.member(.nextStart, nextStart, decimals: 3)
        text.member(.backingOff, isBackingOff)
        text.member(.accuracy, accuracy, decimals: 1)
        text.member(.uncertainty, uncertainty, decimals: 1)
        if let outage {
            text.beginObject(.outage)
            text.member(.reason, outage.reason.name.rawValue)
            text.member(.message, outage.message)
            text.member(.beganSecondsAgo, outage.beganSecondsAgo, decimals: 1)
            text.member(.endedSecondsAgo, outage.endedSecondsAgo, decimals: 1)
            text.endElement()
        }
        text.beginArray(.restKinds)
        for kind in restKinds {
            text.value(kind.rawValue)
        }
        text.endArray()
        text.member(.backup, literal: backup.name)
        text.member(.hostWakes, hostWakes)
        text.member(.linesProblem, linesProblem)
        text.beginArray(.troubles)
        for trouble in troubles {
            text.beginObject()
            text.member(.kind, trouble.kind)
            text.member(.message, trouble.message)
            text.member(.count, trouble.count)
            text.member(.secondsAgo, trouble.secondsAgo, decimals: 1)
            text.member(.over, trouble.isOver)
            text.endElement()
        }
        text.endArray()
        text.endElement()
    }
}

extension OutageReason {
    /// The name of the outage's reason in the daemon's JSON protocol.
    public var name: FailureReason {
        switch self {
        case .noSky: .noSky
        case .receiverUnreachable: .receiverUnreachable
        }
    }
}

extension LearnedState.Backup {
    fileprivate var name: StaticString {
        switch self {
        case .good: "good"
        case .suspect: "suspect"
        case .failed: "failed"
        }
    }
}
