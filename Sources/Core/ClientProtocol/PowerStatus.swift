internal import JSON

/// How a receiver that is switched stands, for `status`.
public struct PowerStatus: Sendable {
    /// Something that goes or went wrong.
    public struct Trouble: Sendable {
        public var kind: StaticString
        /// A sentence for people.
        public var message: String
        /// How often it was noticed.
        public var count: Int
        /// Since the last time.
        public var secondsAgo: Double
        public var isOver: Bool

        public init(kind: StaticString, message: String, count: Int, secondsAgo: Double, isOver: Bool) {
            self.kind = kind
            self.message = message
            self.count = count
            self.secondsAgo = secondsAgo
            self.isOver = isOver
        }
    }

    /// A time in which a fix was needed and did not come.
    public struct Outage: Sendable {
        /// `noSky` or `receiverUnreachable`.
        public var reason: StaticString
        /// Half a sentence for people.
        public var message: String
        public var beganSecondsAgo: Double
        /// Nil while it lasts.
        public var endedSecondsAgo: Double?

        public init(reason: StaticString, message: String, beganSecondsAgo: Double, endedSecondsAgo: Double?) {
            self.reason = reason
            self.message = message
            self.beganSecondsAgo = beganSecondsAgo
            self.endedSecondsAgo = endedSecondsAgo
        }
    }

    public var state: StaticString
    /// The receiver's own description of itself; nil until it has answered.
    public var receiver: String?
    /// Seconds to the next planned search; nil where none is planned.
    public var nextStart: Double?
    public var isBackingOff: Bool
    /// Metres that all clients together need; nil where nobody needs a position, 0 for the receiver's best.
    public var accuracy: Double?
    /// Metres within which the board is now with a probability of 68 %; they grow from fix to fix.
    public var uncertainty: Double?
    /// Since when the accuracy is not held, where that lasts for more than a minute, or the last time it did.
    public var outage: Outage?
    /// The ways in which the receiver can rest.
    public var restKinds: [StaticString]
    /// How the backup supply does.
    public var backup: StaticString
    /// Wake-ups of the host since the start.
    public var hostWakes: UInt64
    /// Which of the board's lines cannot be used and why.
    public var linesProblem: String?
    public var troubles: [Trouble]

    public init(
        state: StaticString, receiver: String?, nextStart: Double?, isBackingOff: Bool, accuracy: Double?,
        uncertainty: Double?, outage: Outage? = nil, restKinds: [StaticString], backup: StaticString, hostWakes: UInt64,
        linesProblem: String?, troubles: [Trouble]
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

    /// Appends the member `power`.
    func append(to text: inout TextBuffer) {
        text.beginObject("\"power\":")
        text.member("\"state\":", literal: state)
        text.member("\"receiver\":", receiver)
        text.member("\"nextStart\":", nextStart, decimals: 3)
        text.member("\"backingOff\":", isBackingOff)
        text.member("\"accuracy\":", accuracy, decimals: 1)
        text.member("\"uncertainty\":", uncertainty, decimals: 1)
        if let outage {
            text.beginObject("\"outage\":")
            text.member("\"reason\":", literal: outage.reason)
            text.member("\"message\":", outage.message)
            text.member("\"beganSecondsAgo\":", outage.beganSecondsAgo, decimals: 1)
            text.member("\"endedSecondsAgo\":", outage.endedSecondsAgo, decimals: 1)
            text.endElement()
        }
        text.beginArray("\"restKinds\":")
        for kind in restKinds {
            text.append(0x22)
            text.append(kind)
            text.append("\"," as StaticString)
        }
        text.endArray()
        text.member("\"backup\":", literal: backup)
        text.member("\"hostWakes\":", Int(clamping: hostWakes))
        text.member("\"linesProblem\":", linesProblem)
        text.beginArray("\"troubles\":")
        for trouble in troubles {
            text.beginObject()
            text.member("\"kind\":", literal: trouble.kind)
            text.member("\"message\":", trouble.message)
            text.member("\"count\":", trouble.count)
            text.member("\"secondsAgo\":", trouble.secondsAgo, decimals: 1)
            text.member("\"over\":", trouble.isOver)
            text.endElement()
        }
        text.endArray()
        text.endElement()
    }
}
