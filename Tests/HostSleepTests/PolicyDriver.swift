import SextantUnits

@testable import HostSleep

/// A policy of host sleep, and the clocks, the system and the switch around it, all of them sound.
struct PolicyDriver {
    var policy: HostSleepPolicy
    var now = 0.0
    /// What the system answers.
    var inspection: HostInspection
    /// What the switch answers in place of what it was told; nil to hold what it was told.
    var reading: ((SwitchOrder) -> SwitchReading?)?
    /// What was done, in order.
    private(set) var done: [HostAction] = []

    /// The wall clock at second 0: 2026-11-27 12:00:00 UTC.
    static let wall = UTCInstant(nanoseconds: 1_795_780_800 * 1_000_000_000)
    /// A switch with a second way back, like a PiJuice.
    static let traits = HostSwitchTraits(
        horizon: 7 * 86_400, backstop: .init(unit: 60, most: 65_535), tellsCause: true, proof: .chip,
        cutTrigger: .command, cutDelay: 30)

    static func instant(_ second: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((second * 1e9).rounded()))
    }

    static var allowed: HostSleepSettings {
        var settings = HostSleepSettings()
        settings.isAllowed = true
        return settings
    }

    static var soundSystem: HostInspection {
        var inspection = HostInspection()
        inspection.isInhibited = false
        inspection.hasSession = false
        inspection.hasSecondMaster = false
        inspection.isPackageManagerBusy = false
        inspection.isStoreSound = true
        inspection.isStayAwakeFileThere = false
        inspection.hasExternalPower = false
        inspection.batteryPercent = 80
        return inspection
    }

    /// A boot by an alarm that came in time after an hour.
    static let byAlarm = BootRecord(wake: HostWake(.alarm, isRead: true), slept: 3600, wasAsleep: true, late: 0)

    /// A boot by motion after an hour.
    static let byMotion = BootRecord(wake: HostWake(.motion, isRead: true), slept: 3600, wasAsleep: true, late: nil)

    init(
        _ settings: HostSleepSettings = PolicyDriver.allowed, traits: HostSwitchTraits? = PolicyDriver.traits,
        hasMotionWake: Bool = true, history: BootHistory? = BootHistory(),
        boot: BootRecord = PolicyDriver.byMotion,
        isTried: Bool = true, isServed: Bool = true, secondsToServe: Double? = 25,
        breakEven: Double? = 50
    ) {
        let configuration = HostSleepConfiguration(
            settings, traits: traits, hasMotionWake: hasMotionWake, breakEven: breakEven)
        var known = history
        if isTried {
            known?.trials = 3
            known?.hasRebooted = true
        }
        policy = HostSleepPolicy(configuration, history: known, boot: boot, fingerprint: 0, at: Self.instant(0))
        inspection = Self.soundSystem
        tell(.motion(hasMotionWake ? false : nil))
        tell(.needs(Self.regions))
        if isServed { tell(.served(afterAlarm: secondsToServe)) }
    }

    /// What a client that watches regions needs.
    static var regions: HostNeeds {
        var needs = HostNeeds()
        needs.isAsked = true
        return needs
    }

    static func holding(_ reasons: StayAwakeReason...) -> HostNeeds {
        var needs = regions
        for reason in reasons { needs.holders.insert(reason) }
        return needs
    }

    /// Tells the policy of an event, and answers what it asks for as a sound system does.
    mutating func tell(_ event: HostEvent) {
        var actions: [HostAction] = []
        policy.handle(event, at: Self.instant(now), into: &actions)
        done += actions
        for action in actions {
            switch action {
            case .order(.inspect):
                var answer = inspection
                let wall = Self.wall.advanced(byNanoseconds: Int64(now * 1e9))
                answer.wall = answer.wall ?? wall
                answer.switchClock = answer.switchClock ?? wall
                tell(.report(.inspected(answer)))
            case .order(.arm(let order)):
                let wall = Self.wall.advanced(byNanoseconds: Int64(now * 1e9))
                let held = SwitchReading(
                    clock: wall, alarm: order.alarm, backstop: order.backstop, byMotion: order.byMotion)
                tell(.report(.armed(reading.map { $0(order) } ?? held, wall: wall)))
            case .tellSleep, .tellStay, .store, .order, .keep: break
            }
        }
    }

    /// Lets time pass, second by second of what the policy asks for, until then.
    mutating func run(until end: Double) {
        while let deadline = policy.deadline(at: Self.instant(now)) {
            let next = Double(deadline.nanoseconds) / 1e9
            guard next <= end else { break }
            now = max(next, now)
            tell(.timePassed)
        }
        now = end
    }

    /// The order with which it asked for the power to go off; nil where it has not.
    var order: SwitchOrder? {
        for case .order(.powerOff(let order)) in done { return order }
        return nil
    }

    var reasons: [StayAwakeReason] { policy.reasons(at: Self.instant(now)).all }

    /// The seconds of the wall clock after second 0.
    static func second(_ instant: UTCInstant) -> Double { Double(instant.nanoseconds(since: wall)) / 1e9 }
}
