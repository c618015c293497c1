internal import ClientVocabulary
public import SextantJSON
public import SextantUnits

/// The state of the host's sleep; a part of the answer to a `status` request.
public struct HostStatus: Sendable, Equatable {
    /// A sleep of the host that the daemon plans to begin soon.
    public struct Plan: Sendable, Equatable {
        /// The reason why the sleep must end at the planned time.
        public var cause: String
        /// Seconds until the alarm.
        public var seconds: Double
        /// Seconds from the start of the sleep until a counter wakes the host in case the alarm fails; nil if there is
        /// no such counter.
        public var backstop: Double?
        public var byMotion: Bool
        /// Whether reading back the alarm proves that it is set in the chip that wakes the host; if not, it only proves
        /// that the power switch has received the daemon's request.
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
        /// Whether the power switch reported the cause of the boot; if not, the daemon inferred the cause.
        public var isRead: Bool
        /// The length of the sleep before this boot, in seconds; nil if the daemon had not put the host to sleep.
        public var slept: Double?
        /// Seconds from the planned wake-up to the actual one; nil if the delay is not known.
        public var late: Double?

        public init(cause: String, isRead: Bool, slept: Double?, late: Double?) {
            self.cause = cause
            self.isRead = isRead
            self.slept = slept
            self.late = late
        }
    }

    /// Whether the board's description file names a switch that can cut the power supply of the board.
    public var isSwitched: Bool
    /// Why the host stays on now.
    public var reasons: [String] = []
    public var plan: Plan?
    public var boot: Boot?
    /// The boots that ended the most recent sleeps, the oldest first.
    public var sleeps: [Boot] = []
    /// The largest number of recent sleeps that the status lists.
    public static let maximumSleeps = 10

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

/// An event that tells clients about a sleep of the host.
public enum HostNews: Sendable, Equatable {
    /// The host will go to sleep in `inSeconds`, for at most `seconds`; `until` is the latest time of its end, nil if
    /// the daemon does not know the time.
    case willSleep(inSeconds: Double, seconds: Double, until: UTCInstant?)
    /// The host stays on, although its sleep was announced.
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
    /// Keep the host on for this many seconds; 0 ends the effect of an earlier such request.
    case keepAwake(seconds: Double)
    /// Put the host to sleep for two minutes as soon as nobody is logged in, to test the power switch.
    case trySleep
    /// Allow sleep again, which the daemon has forbidden because alarms were missed or boots failed.
    case allowSleep
}
