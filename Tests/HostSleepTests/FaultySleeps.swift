import Emulation
import SextantUnits

@testable import HostSleep

/// A board that goes to sleep again and again while everything around it fails at random, with what really happened.
///
/// The chip is what counts: it holds an alarm or not, whatever anybody was told.
struct FaultySleeps {
    /// What went wrong over all sleeps; nothing of it may happen.
    struct Wrongs: Equatable {
        /// The supply was cut while no alarm stood enabled and ahead in the chip.
        var cutsWithoutAlarm = 0
        /// A host that neither its alarm nor its second way back woke, although one of them was left.
        var sleptOver = 0
        /// A wake later than the longest sleep, a boot and a minute, with a sound switch.
        var tooLong = 0
    }

    private(set) var wrongs = Wrongs()
    private(set) var sleeps = 0
    /// Sleeps whose alarm and second way back were both lost after the last reading.
    private(set) var lost = 0
    private(set) var wakes: [WakeCause: Int] = [:]

    private let traits: HostSwitchTraits
    private var random: SplitMix64
    private var history: BootHistory?
    /// True seconds since the beginning.
    private var time = 0.0
    private var chip = Chip()

    /// The switch's chip.
    private struct Chip {
        /// Seconds by which its clock is ahead of the true time.
        var ahead = 0.0
        /// The alarm in true seconds.
        var alarm: Double?
        /// The end of the second way back in true seconds, and what it was set to.
        var backstop: (at: Double, seconds: Double)?
        var byMotion = false
    }

    init(_ traits: HostSwitchTraits, seed: UInt64) {
        self.traits = traits
        random = SplitMix64(seed: seed)
        var tried = BootHistory()
        (tried.trials, tried.hasRebooted) = (3, true)
        history = tried
    }

    private mutating func chance(_ probability: Double) -> Bool { random.nextUnit() < probability }

    private static func wall(_ second: Double) -> UTCInstant {
        UTCInstant(nanoseconds: PolicyDriver.wall.nanoseconds + Int64((second * 1e9).rounded()))
    }

    private func instant(_ booted: Double) -> MonotonicInstant { PolicyDriver.instant(time - booted) }

    // MARK: A boot

    /// Runs from boot to boot, so many of them.
    mutating func run(boots: Int) {
        var boot = BootRecord(wake: HostWake(.power, isRead: true), slept: 0, wasAsleep: false, late: nil)
        for _ in 0..<boots {
            if history?.barred != nil, chance(0.3) { allowed() }
            boot = run(boot)
        }
    }

    private mutating func allowed() {
        history = history.map { old in
            var board = PolicyDriver(history: old, isServed: false)
            board.tell(.allowed)
            return board.policy.history ?? old
        }
    }

    /// One boot until the next, and how the next one comes.
    private mutating func run(_ boot: BootRecord) -> BootRecord {
        let booted = time
        // First of all what was set is taken back.
        chip.alarm = nil
        chip.backstop = nil
        chip.ahead = chance(0.1) ? Double.random(in: -90_000...90_000, using: &random) : 0
        var settings = PolicyDriver.allowed
        settings.withoutBackstop = true
        settings.longest = Double.random(in: 600...86_400, using: &random)
        let configuration = HostSleepConfiguration(
            settings, traits: traits, hasMotionWake: chance(0.7), breakEven: 50)
        var policy = HostSleepPolicy(configuration, history: history, boot: boot, fingerprint: 0, at: .zero)
        var events: [HostEvent] = [
            .motion(false), .needs(chance(0.8) ? PolicyDriver.regions : HostNeeds()),
        ]
        if chance(0.95) { events.append(.served(afterAlarm: boot.wasAsleep ? 25 : nil)) }
        if chance(0.8) { events.append(.located(metres: Double.random(in: 0...1000, using: &random))) }
        events.append(.clockCompared(apart: chip.ahead))
        while time - booted < 200_000 {
            for event in events {
                if let order = tell(event, to: &policy, booted: booted) {
                    history = policy.history
                    if let next = stop(order, booted: booted, longest: settings.longest) { return next }
                    // The helper's word was no; the policy has heard it.
                    _ = tell(.report(.powerOffAnswered(isAccepted: false)), to: &policy, booted: booted)
                }
            }
            let now = instant(booted)
            if chance(0.05) {
                events = [.motion(chance(0.5))]
                time += 1
            } else if let deadline = policy.deadline(at: now) {
                time = booted + Double(deadline.nanoseconds) / 1e9
                events = chance(0.1) ? [.hold(seconds: 30), .timePassed] : [.timePassed]
            } else {
                time += 3600
                events = [.motion(false)]
            }
        }
        history = policy.history
        return BootRecord(wake: HostWake(.button, isRead: true), slept: 0, wasAsleep: false, late: nil)
    }

    /// Tells the policy, answers what it asks, and gives the order with which it would power off.
    private mutating func tell(
        _ event: HostEvent, to policy: inout HostSleepPolicy, booted: Double
    ) -> SwitchOrder? {
        var actions: [HostAction] = []
        policy.handle(event, at: instant(booted), into: &actions)
        var order: SwitchOrder?
        for action in actions {
            switch action {
            case .order(.inspect): order = tell(.report(.inspected(inspection())), to: &policy, booted: booted) ?? order
            case .order(.arm(let ordered)):
                arm(ordered)
                let wall = FaultySleeps.wall(time)
                order = tell(.report(.armed(read(ordered), wall: wall)), to: &policy, booted: booted) ?? order
            case .order(.disarm):
                chip.alarm = nil
                chip.backstop = nil
            case .order(.powerOff(let ordered)): order = ordered
            case .tellSleep, .tellStay, .store, .keep: break
            }
        }
        return order
    }

    private mutating func inspection() -> HostInspection {
        var inspection = PolicyDriver.soundSystem
        inspection.wall = FaultySleeps.wall(time)
        inspection.switchClock = FaultySleeps.wall(time + chip.ahead)
        inspection.hasSession = chance(0.1) ? nil : chance(0.1)
        inspection.isInhibited = chance(0.1)
        return inspection
    }

    // MARK: The switch

    /// The alarm's instant by the chip's own clock, in true seconds.
    private func trueSecond(of alarm: UTCInstant) -> Double { PolicyDriver.second(alarm) - chip.ahead }

    /// Sets the chip, or fails to: nothing arrives, one byte is wrong, or a part is missing.
    private mutating func arm(_ order: SwitchOrder) {
        chip.alarm = trueSecond(of: order.alarm)
        chip.backstop = order.backstop.map { (time + $0, $0) }
        chip.byMotion = order.byMotion
        if chance(0.05) { chip.alarm = nil }
        if chance(0.05) { chip.alarm? += [-3600, -60, 1, 60, 86_400].randomElement(using: &random) ?? 0 }
        if chance(0.05) { chip.backstop = nil }
        if chance(0.05) { chip.byMotion.toggle() }
    }

    /// What a reading gives: the truth, nothing, or once in a while what was ordered although it does not stand there.
    private mutating func read(_ order: SwitchOrder) -> SwitchReading? {
        if chance(0.05) { return nil }
        let clock = FaultySleeps.wall(time + chip.ahead)
        if chance(0.02) {
            return SwitchReading(
                clock: clock, alarm: order.alarm, backstop: order.backstop, byMotion: order.byMotion)
        }
        return SwitchReading(
            clock: chance(0.02) ? nil : clock,
            alarm: chip.alarm.map { FaultySleeps.wall($0 + chip.ahead) }, backstop: chip.backstop?.seconds,
            byMotion: chip.byMotion)
    }

    /// Whether the hook lets the power go: two readings in a row must hold what was ordered.
    private mutating func hookAgrees(_ order: SwitchOrder) -> Bool {
        for _ in 0..<2 {
            guard let reading = read(order), order.fault(in: reading, at: FaultySleeps.wall(time)) == nil else {
                return false
            }
        }
        return true
    }

    // MARK: Off

    /// From the request to the next boot; nil where the system refuses.
    private mutating func stop(_ order: SwitchOrder, booted: Double, longest: Double) -> BootRecord? {
        if chance(0.1) { return nil }
        time += 8
        // A second master, or the kernel's write of the clock, between the daemon's check and the hook's.
        if chance(0.05) { chip.alarm = nil }
        let isChipRight = chip.alarm.map { $0 > time } ?? false
        guard hookAgrees(order) else {
            time += 25
            return BootRecord(wake: HostWake(.unknown, isRead: false), slept: 0, wasAsleep: false, late: nil)
        }
        if !isChipRight { wrongs.cutsWithoutAlarm += 1 }
        sleeps += 1
        return sleep(order, from: time, longest: longest)
    }

    private mutating func sleep(_ order: SwitchOrder, from: Double, longest: Double) -> BootRecord {
        let isDisturbed = chance(0.1)
        if isDisturbed {
            if chance(0.7) { chip.alarm = nil }
            if chance(0.3) { chip.backstop = nil }
        }
        var ways: [(at: Double, cause: WakeCause)] = []
        if let alarm = chip.alarm { ways.append((alarm, .alarm)) }
        if let backstop = chip.backstop { ways.append((max(backstop.at, time), .backstop)) }
        if order.byMotion, chance(0.3) { ways.append((time + Double.random(in: 1...7200, using: &random), .motion)) }
        let planned = trueSecond(of: order.alarm)
        let areBothLost = chip.alarm == nil && chip.backstop == nil
        if areBothLost { lost += 1 }
        guard let wake = ways.min(by: { $0.at < $1.at }) else {
            // Somebody finds it after a week.
            time += 7 * 86_400
            return BootRecord(wake: HostWake(.button, isRead: true), slept: time - from, wasAsleep: true, late: nil)
        }
        let bound = chip.alarm != nil ? planned + 60 : planned + 300 + (traits.backstop?.unit ?? 0)
        if !areBothLost, wake.at > bound { wrongs.sleptOver += 1 }
        if !isDisturbed, wake.at - from > longest + 60 { wrongs.tooLong += 1 }
        time = wake.at + 25
        wakes[wake.cause, default: 0] += 1
        return BootRecord(
            wake: HostWake(wake.cause, isRead: traits.tellsCause), slept: wake.at - from, wasAsleep: true,
            late: wake.at - planned)
    }
}
