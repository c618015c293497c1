import Receivers
import SextantUnits
import Testing

@testable import Power

/// Random events, the same ones every time.
private struct RandomEvents {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func below(_ bound: UInt64) -> UInt64 { random.next() % bound }

    mutating func fraction() -> Double { Double(below(1 << 53)) * 0x1p-53 }
}

/// A policy under random events, and what was seen to be wrong.
private struct Ordeal {
    private var random: RandomEvents
    private var policy: ReceiverPowerPolicy
    private var now = MonotonicInstant.zero
    private var actions: [PowerAction] = []
    private var demand = Demand.none
    private var kinds: Set<SleepKind>
    private var isReachable = false
    private var lastWake: MonotonicInstant?
    private var lastKept: MonotonicInstant?
    private(set) var faults: Set<String> = []
    private(set) var counts: [String: Int] = [:]

    init(seed: UInt64, sensor: Bool, kinds: Set<SleepKind>) {
        random = RandomEvents(seed: seed)
        self.kinds = kinds
        let model = ReceiverModel.neoM8N
        let settings = PolicySettings(draw: model.powerDraw, startTimes: model.startTimes, hasMotionSensor: sensor)
        policy = ReceiverPowerPolicy(settings, learned: LearnedState(receiver: "", believing: model.startTimes))
        tell(.sleepKinds(kinds))
    }

    mutating func step() {
        let pause = Int64(random.fraction() * (random.below(20) == 0 ? 4e12 : 3e9))
        pass(to: now.advanced(byNanoseconds: pause))
        disturb()
        if random.below(2000) == 0 { checkNumbers() }
    }

    /// Time passes as the engine lets it: at every deadline on the way.
    private mutating func pass(to end: MonotonicInstant) {
        var turns = 0
        while let deadline = policy.deadline, deadline <= end {
            now = max(now, deadline)
            tell(.timePassed)
            if let next = policy.deadline, next <= now { faults.insert("a deadline is not after now: \(policy.state)") }
            turns += 1
            if turns > 10_000 {
                faults.insert("time does not pass: \(policy.state)")
                return
            }
        }
        now = end
    }

    private mutating func disturb() {
        switch random.below(100) {
        case 0..<4: tell(.demanded(newDemand()))
        case 4..<9: tell(.motion(random.below(2) == 0))
        case 9..<12: tell(.ready)
        case 12: tell(.portLost)
        case 13..<15: tell(.sleepRefused(SleepKind.allCases[Int(random.below(4))]))
        case 15..<18: tell(.asleep(kinds.min() ?? .cyclic))
        case 18:
            let kind = SleepKind.allCases[Int(random.below(4))]
            if kinds.contains(kind) { kinds.remove(kind) } else { kinds.insert(kind) }
            tell(.sleepKinds(kinds))
        case 19..<30: tell(.noFix(strongestSignal: random.below(3) == 0 ? nil : 40 * random.fraction()))
        default: tell(newFix())
        }
    }

    private mutating func newFix() -> PowerFix {
        let places = [0.001, 0.01, 1][Int(random.below(3))]
        return PowerFix(
            latitude: 48 + places * random.fraction(), longitude: 11,
            horizontalAccuracy: 1 + 30 * random.fraction(),
            speed: random.below(4) == 0 ? nil : random.below(2) == 0 ? 0 : 30 * random.fraction())
    }

    private mutating func newDemand() -> Demand {
        if random.below(4) == 0 {
            demand = .none
            return demand
        }
        let accuracies: [Double] = [0, 10, 50, 100, 1000]
        demand = Demand(
            accuracy: accuracies[Int(random.below(5))], keepsOn: random.below(3) == 0, deadline: nil,
            minimumInterval: random.below(5) == 0 ? 1000 * random.fraction() : nil, activity: .other,
            clients: [UInt32(random.below(5))])
        if demand.keepsOn, random.below(2) == 0 {
            demand.deadline = now.advanced(byNanoseconds: Int64(1e11 * random.fraction()))
        }
        return demand
    }

    private mutating func tell(_ event: PowerEvent) {
        watch("\(event)") { $0.policy.handle(event, at: $0.now, into: &$0.actions) }
    }

    private mutating func tell(_ report: ReceiverReport) {
        watch("\(report)") { $0.policy.handle(report, at: $0.now, into: &$0.actions) }
    }

    private mutating func tell(_ fix: PowerFix) {
        watch("\(fix)") { ordeal in
            guard ordeal.policy.found(fix, at: ordeal.now, into: &ordeal.actions) else { return }
            ordeal.counts["deliver", default: 0] += 1
            if ordeal.demand.accuracy == nil { ordeal.faults.insert("delivered to nobody") }
        }
    }

    private mutating func watch(_ event: @autoclosure () -> String, _ happen: (inout Ordeal) -> Void) {
        actions.removeAll(keepingCapacity: true)
        let before = policy.phase
        happen(&self)
        for action in actions { check(action) }
        check(event, before)
    }

    private mutating func check(_ action: PowerAction) {
        switch action {
        case .wake:
            counts["wake", default: 0] += 1
            if let lastWake, now.nanoseconds(since: lastWake) < 2_000_000_000 {
                faults.insert("two starts within two seconds")
            }
            lastWake = now
            if case .asleep = policy.phase { faults.insert("woken and asleep") }
        case .sleep(let kind, let nanoseconds):
            counts["sleep", default: 0] += 1
            if let nanoseconds, nanoseconds <= 0 { faults.insert("a sleep of \(nanoseconds) ns") }
            if !kinds.contains(kind) { faults.insert("a sleep that is not to be had") }
            if demand.keepsOn, !policy.isBackingOff { faults.insert("asleep while it must be on") }
        case .searchFailed(let seconds, let retry):
            counts["failed", default: 0] += 1
            if seconds < 0 || retry < 0 || retry > 3600 { faults.insert("failed after \(seconds), again in \(retry)") }
        case .learned:
            if let lastKept, now.nanoseconds(since: lastKept) < 3_600_000_000_000 { faults.insert("kept too often") }
            lastKept = now
        }
    }

    private mutating func check(_ event: () -> String, _ before: PowerPhase) {
        let isAsleep = if case .asleep = policy.phase { true } else { false }
        if case .asleep(.cyclic) = policy.phase { faults.insert("asleep in cyclic tracking") }
        // A start may be two seconds off; what failed may wait for its turn.
        if isAsleep, demand.keepsOn, !policy.isBackingOff,
            policy.nextStart.map({ $0.nanoseconds(since: now) > 2_000_000_000 }) ?? true
        {
            faults.insert("off while it is needed: \(event())")
        }
        if isAsleep, demand.accuracy != nil, policy.nextStart == nil { faults.insert("asleep for ever: \(event())") }
        if isAsleep, demand.accuracy == nil, policy.nextStart != nil { faults.insert("a start for nobody: \(event())") }
        if policy.phase != before, actions.isEmpty, isAsleep {
            if case .asleep = before {} else { faults.insert("fell asleep without a word: \(event())") }
        }
        if demand.accuracy == nil, !isAsleep, policy.phase != .unreachable, policy.deadline == nil {
            // It stays on where nothing can switch it.
            if !policy.usableKinds(at: now).subtracting([.cyclic]).isEmpty {
                faults.insert("on for nobody: \(event())")
            }
        }
        if let start = policy.nextStart, start.nanoseconds(since: now) > 7_300_000_000_000 {
            faults.insert("a wait of more than two hours")
        }
    }

    private mutating func checkNumbers() {
        let bytes = policy.learned.encode()
        let read = try? LearnedState(
            decoding: bytes.span, receiver: "", believing: ReceiverModel.neoM8N.startTimes)
        if let uncertainty = policy.uncertainty(at: now), !(uncertainty >= 0) { faults.insert("no uncertainty") }
        if read != policy.learned { faults.insert("what was learned cannot be read again") }
    }
}

@Suite("Receiver power policy's invariants")
struct PowerPolicyInvariantTests {
    @Test(arguments: [
        (1 as UInt64, true, [SleepKind.hardware]),
        (2, false, [.hardware]),
        (3, true, [.cyclic, .software, .hardware, .cut]),
        (4, false, [.cyclic, .software]),
        (5, true, []),
    ])
    func `forty thousand random events break no invariant`(
        seed: UInt64, sensor: Bool, kinds: [SleepKind]
    ) {
        var ordeal = Ordeal(seed: seed, sensor: sensor, kinds: Set(kinds))
        for _ in 0..<40_000 { ordeal.step() }
        #expect(ordeal.faults == [])
        #expect(["wake", "sleep", "deliver", "failed"].allSatisfy { ordeal.counts[$0, default: 0] > 100 })
    }
}
