internal import ClientVocabulary
public import SextantJSON
public import SextantUnits

/// The state of the host's sleep, for `status`.
public struct HostStatus: Sendable, Equatable {
    /// A sleep that is under way.
    public struct Plan: Sendable, Equatable {
        /// The need whose deadline ends the sleep.
        public var cause: String
        /// Seconds until the alarm.
        public var seconds: Double
        /// Seconds until the second way back, from the start of the sleep; nil where there is none.
        public var backstop: Double?
        public var byMotion: Bool
        /// Whether the alarm is read from the chip that wakes the host; otherwise from what its switch was asked for.
        public var isProven: Bool

        public init(cause: String, seconds: Double, backstop: Double?, byMotion: Bool, isProven: Bool) {
            self.cause = cause
            self.seconds = seconds
            self.backstop = backstop
            self.byMotion = byMotion
            self.isProven = isProven
        }
    }

    /// The cause of this boot.
    public struct Boot: Sendable, Equatable {
        public var cause: String
        /// Whether the switch told the cause; otherwise it was inferred.
        public var isRead: Bool
        /// Seconds of the sleep before; nil where the host had not been put to sleep.
        public var slept: Double?
        /// Seconds by which it woke after the planned instant; nil where that is not known.
        public var late: Double?

        public init(cause: String, isRead: Bool, slept: Double?, late: Double?) {
            self.cause = cause
            self.isRead = isRead
            self.slept = slept
            self.late = late
        }
    }

    /// Whether the board names a switch that can cut its supply.
    public var isSwitched: Bool
    /// Why the host stays on now.
    public var reasons: [String] = []
    public var plan: Plan?
    public var boot: Boot?
    /// The boots that ended the last sleeps, the newest last.
    public var sleeps: [Boot] = []
    /// The most sleeps that are listed.
    public static let mostSleeps = 10

    public init(isSwitched: Bool) { self.isSwitched = isSwitched }

    func append(to text: inout TextBuffer) {
        text.beginObject(.host)
        text.member(.switched, isSwitched)
        text.beginArray(.reasons)
        for reason in reasons { text.value(reason) }
        text.endArray()
        if let plan {
            text.beginObject(.plan)
            text.member(.cause, plan.cause)
            text.member(.seconds, plan.seconds, decimals: 0)
            text.member(.backstop, plan.backstop, decimals: 0)
            text.member(.byMotion, plan.byMotion)
            text.member(.verified, literal: plan.isProven ? "chip" : "request")
            text.endElement()
        }
        if let boot {
            text.beginObject(.boot)
            boot.append(to: &text)
            text.endElement()
        }
        if !sleeps.isEmpty {
            text.beginArray(.sleeps)
            for boot in sleeps {
                text.beginObject()
                boot.append(to: &text)
                text.endElement()
            }
            text.endArray()
        }
        text.endElement()
    }
}

extension HostStatus.Boot {
    fileprivate func append(to text: inout TextBuffer) {
        text.member(.cause, cause)
        text.member(.told, isRead)
        text.member(.slept, slept, decimals: 0)
        text.member(.late, late, decimals: 0)
    }
}

/// News for clients about a sleep of the host.
public enum HostNews: Sendable, Equatable {
    /// The host sleeps in `inSeconds`, for `seconds` at the longest; `until` is the latest end, where the time is known.
    case willSleep(inSeconds: Double, seconds: Double, until: UTCInstant?)
    /// The host stays on after all.
    case staysAwake
}

extension ClientEvent {
    public static func append(_ news: HostNews, to text: inout TextBuffer) {
        switch news {
        case .willSleep(let start, let seconds, let until):
            text.begin(.hostWillSleep)
            text.member(.inSeconds, start, decimals: 0)
            text.member(.seconds, seconds, decimals: 0)
            text.member(.until, until)
        case .staysAwake: text.begin(.hostStaysAwake)
        }
        end(&text)
    }
}

/// An operator's request about the sleep of the host.
public enum HostControl: Sendable, Equatable {
    /// Keep the host on for so many seconds; 0 takes that back.
    case keepAwake(seconds: Double)
    /// Let it sleep for two minutes as soon as nobody is logged in, to try the switch out.
    case trySleep
    /// Allow it again after a guard forbade it.
    case allowSleep
}
