internal import SextantJSON
public import SextantUnits

/// A request to switch the host off until an alarm that is already set in the switch.
///
/// The daemon writes the request; the helper reads it, and keeps a copy for the hook at the end of the shutdown.
public struct HostRequest: Sendable, Equatable {
    public var order: SwitchOrder
    public var hostSwitch: HostSwitchAddress
    /// The instant at which the request was made, on the boot-time clock: a whole millisecond.
    public var made: MonotonicInstant
    /// The instant at which the request was made, by the wall clock that the daemon uses (the receiver's, the host's or
    /// the switch's): a whole millisecond.
    public var wall: UTCInstant

    public init(order: SwitchOrder, hostSwitch: HostSwitchAddress, made: MonotonicInstant, wall: UTCInstant) {
        self.order = order
        self.hostSwitch = hostSwitch
        self.made = MonotonicInstant(nanoseconds: made.nanoseconds / 1_000_000 * 1_000_000)
        self.wall = UTCInstant(nanoseconds: wall.nanoseconds / 1_000_000 * 1_000_000)
    }

    // MARK: As a file

    /// Reads a request in JSON: `alarm` in seconds since 1970, `backstopSeconds` where there is a backstop, `motion`,
    /// `model`, `bus`, `address`, `made` in milliseconds since the boot, `wall` in milliseconds since 1970, and
    /// `digest`.
    public init(parsing bytes: [UInt8]) throws(HostFileError) {
        var members = try CheckedMembers(parsing: bytes)
        let alarm = UTCInstant(nanoseconds: try members.whole("alarm", in: HostRequest.alarms) * 1_000_000_000)
        let backstop = try members.optionalWhole("backstopSeconds", in: HostRequest.backstops).map { Double($0) }
        order = SwitchOrder(alarm: alarm, backstop: backstop, byMotion: try members.bool("motion"))
        made = MonotonicInstant(nanoseconds: try members.whole("made", in: HostRequest.uptimes) * 1_000_000)
        wall = UTCInstant(nanoseconds: try members.whole("wall", in: HostRequest.walls) * 1_000_000)
        hostSwitch = try HostSwitchAddress(from: &members)
        try members.finish()
    }

    public var text: String { CheckedMembers.text(of: members) }

    /// The identifier by which the helper's answer names this request.
    public var digest: String { CheckedMembers.digest(of: members) }

    private var members: [String: JSONValue] {
        var members = hostSwitch.members
        members["alarm"] = .number(Double(order.alarm.nanoseconds / 1_000_000_000))
        if let backstop = order.backstop { members["backstopSeconds"] = .number(backstop) }
        members["motion"] = .bool(order.byMotion)
        members["made"] = .number(Double(made.nanoseconds / 1_000_000))
        members["wall"] = .number(Double(wall.nanoseconds / 1_000_000))
        return members
    }

    /// The accepted times of an alarm in seconds since 1970: up to the year 2255, which a `UTCInstant` can hold.
    private static let alarms: ClosedRange<Int64> = 0...9_000_000_000
    /// The accepted seconds of a backstop (a second wake-up by a counter): from 60 s to the 65 535 min of the longest
    /// counter, a PiJuice's.
    private static let backstops: ClosedRange<Int64> = 60...3_932_100
    /// The accepted times of a request in milliseconds since the boot: up to a hundred years.
    private static let uptimes: ClosedRange<Int64> = 0...3_155_760_000_000
    /// The accepted times of a request in milliseconds since 1970; they span the same years as the accepted alarms.
    private static let walls: ClosedRange<Int64> = 0...9_000_000_000_000

    // MARK: Whether it may be obeyed

    /// The longest time from a request to its alarm in seconds: 27 days, so that a day of the month is unambiguous.
    public static let farthest = 27 * 86_400.0
    /// The seconds for which a request is valid.
    public static let validity = 60.0

    /// The present time, against which the switch's clock and alarm are checked: the host's clock where the system
    /// confirms it; otherwise the wall clock's time in the request, plus the time since then, because on a board
    /// without a network only the daemon's receiver may know the time.
    ///
    /// - Parameters:
    ///   - host: The host's wall clock; nil unless the system says that it is right.
    ///   - uptime: The present instant on the boot-time clock.
    public func now(host: UTCInstant?, uptime: MonotonicInstant) -> UTCInstant {
        host ?? wall.advanced(byNanoseconds: uptime.nanoseconds(since: made))
    }

    /// Why the request must not be carried out now; nil where it can be.
    ///
    /// - Parameters:
    ///   - host: The host's wall clock; nil unless the system says that it is right.
    ///   - uptime: The present instant on the boot-time clock.
    public func refusal(host: UTCInstant?, uptime: MonotonicInstant) -> HostRequestRefusal? {
        let age = Double(uptime.nanoseconds(since: made)) / 1e9
        guard age >= 0 else { return .notYetMade }
        guard age <= HostRequest.validity else { return .tooOld }
        let ahead = Double(order.alarm.nanoseconds(since: now(host: host, uptime: uptime))) / 1e9
        guard ahead > 0 else { return .alarmPast }
        guard ahead >= SwitchOrder.minimumAhead else { return .alarmTooNear }
        return ahead <= HostRequest.farthest ? nil : .alarmTooFar
    }
}

/// Why a request to switch the host off must not be carried out.
public enum HostRequestRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    case notYetMade
    case tooOld
    case alarmPast
    case alarmTooNear
    case alarmTooFar

    public var description: String {
        switch self {
        case .notYetMade: "made: later than now; only a request of this boot counts"
        case .tooOld: "made: more than 60 s ago; a new request is needed"
        case .alarmPast: "alarm: in the past; set the host's clock, or arm anew"
        case .alarmTooNear: "alarm: less than 60 s ahead; arm a later one"
        case .alarmTooFar: "alarm: more than 27 days ahead; arm an earlier one"
        }
    }
}
