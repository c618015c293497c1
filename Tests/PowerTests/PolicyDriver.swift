import Power
import Receivers
import SextantUnits

/// A power policy, and the clock and the receiver around it.
struct PolicyDriver {
    var policy: ReceiverPowerPolicy
    /// What was done without being asked, with its second.
    private(set) var done: [(second: Double, action: PowerAction)] = []

    static let times = ReceiverModel.neoM8N.startTimes

    init(
        sensor: Bool = true, kinds: Set<SleepKind> = [.hardware], draw: PowerDraw = ReceiverModel.neoM8N.powerDraw,
        learned: LearnedState = LearnedState(receiver: "NEO-M8N", believing: Self.times)
    ) {
        let settings = PolicySettings(draw: draw, startTimes: Self.times, hasMotionSensor: sensor)
        policy = ReceiverPowerPolicy(settings, learned: learned)
        tell(.sleepKinds(kinds), at: 0)
    }

    static func instant(_ second: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((second * 1e9).rounded()))
    }

    static func demand(
        _ accuracy: Double?, keepsOn: Bool = false, deadline: Double? = nil, interval: Double? = nil,
        clients: [UInt32] = [1]
    ) -> Demand {
        Demand(
            accuracy: accuracy, keepsOn: keepsOn, deadline: deadline.map(instant), minimumInterval: interval,
            activity: .other, clients: clients)
    }

    /// What a fix led to.
    struct Outcome: Equatable {
        var isDelivered: Bool
        var actions: [PowerAction]

        static let nothing = Outcome(isDelivered: false, actions: [])
        static let delivery = Outcome(isDelivered: true, actions: [])
    }

    @discardableResult
    mutating func tell(_ event: PowerEvent, at second: Double) -> [PowerAction] {
        var actions: [PowerAction] = []
        policy.handle(event, at: Self.instant(second), into: &actions)
        return actions
    }

    @discardableResult
    mutating func tell(_ report: ReceiverReport, at second: Double) -> [PowerAction] {
        var actions: [PowerAction] = []
        policy.handle(report, at: Self.instant(second), into: &actions)
        return actions
    }

    /// A fix so many metres north of where it began.
    @discardableResult
    mutating func fix(at second: Double, north: Double = 0, accuracy: Double = 4.5, speed: Double? = 0) -> Outcome {
        let fix = PowerFix(
            latitude: 48 + north / 111_195, longitude: 11, horizontalAccuracy: accuracy, speed: speed)
        var actions: [PowerAction] = []
        let isDelivered = policy.found(fix, at: Self.instant(second), into: &actions)
        return Outcome(isDelivered: isDelivered, actions: actions)
    }

    /// Lets time pass, deadline by deadline.
    mutating func pass(to second: Double) {
        let end = Self.instant(second)
        while let deadline = policy.deadline, deadline <= end {
            var actions: [PowerAction] = []
            policy.handle(.timePassed, at: deadline, into: &actions)
            done += actions.map { (Double(deadline.nanoseconds) / 1e9, $0) }
        }
    }

    /// The next deadline in seconds.
    var deadline: Double? { policy.deadline.map { Double($0.nanoseconds) / 1e9 } }

    /// When the receiver was woken.
    var wakes: [Double] { done.filter { $0.action == .wake }.map(\.second) }

    var failures: [PowerAction] {
        done.map(\.action).filter { if case .searchFailed = $0 { true } else { false } }
    }

    /// Seconds between searches that found nothing.
    var pauses: [Double] {
        done.compactMap { done -> Double? in
            guard case .searchFailed(_, let retry) = done.action else { return nil }
            return retry
        }
    }

    /// At rest since second 30 under a demand of 50 m, and asleep.
    static func asleep(
        _ demand: Demand = demand(50), sensor: Bool = true, kinds: Set<SleepKind> = [.hardware]
    ) -> PolicyDriver {
        var driver = PolicyDriver(sensor: sensor, kinds: kinds)
        driver.tell(.demanded(demand), at: 0)
        driver.tell(.ready, at: 0)
        driver.fix(at: 30)
        return driver
    }
}
