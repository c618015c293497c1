import AllocationCounter
import Receivers
import SextantUnits
import Testing

@testable import Power

@Suite("Receiver power policy: sleeping")
struct ReceiverPowerPolicySleepTests {
    /// Thirty seconds at 25 m/s under a demand of 50 m.
    static func driving(kinds: Set<SleepKind>, draw: PowerDraw = ReceiverModel.neoM8N.powerDraw) -> PolicyDriver {
        var driver = PolicyDriver(sensor: false, kinds: kinds, draw: draw)
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        for second in 0..<30 {
            driver.fix(at: 30 + Double(second), north: 25 * Double(second), speed: 25)
        }
        return driver
    }

    @Test func `while sleep would save no energy the receiver keeps tracking and every fix is delivered`() {
        var driver = Self.driving(kinds: [.hardware])
        #expect(driver.policy.phase == .tracking)
        #expect(driver.fix(at: 60, north: 750, speed: 25) == .delivery && driver.deadline == 70)
    }

    @Test func `a plan for the next fix allocates nothing`() {
        var driver = Self.driving(kinds: [.software, .hardware])
        var fewest = UInt.max
        for second in 60..<120 {
            let before = allocation_count()
            driver.fix(at: Double(second), north: 25 * Double(second - 30), speed: 25)
            fewest = min(fewest, allocation_count() - before)
        }
        #expect(driver.policy.phase == .tracking && fewest == 0)
    }

    @Test func `cyclic tracking is chosen when the gaps between fixes are short`() {
        var driver = Self.driving(kinds: [.cyclic, .hardware])
        #expect(driver.policy.phase == .cyclic)
        #expect(driver.fix(at: 60, north: 750, speed: 25) == .delivery)
    }

    @Test func `hardware sleep is chosen over cyclic tracking when the gaps between fixes are long`() {
        let driver = PolicyDriver.asleep(PolicyDriver.demand(1000), kinds: [.cyclic, .software, .hardware])
        #expect(driver.policy.phase == .asleep(.hardware))
    }

    @Test func `cyclic tracking gives way to sleep once the board moves slowly`() {
        var driver = Self.driving(kinds: [.cyclic, .hardware])
        var north = 750.0
        for second in 60..<1500 where driver.policy.phase == .cyclic {
            north += 1
            driver.fix(at: Double(second), north: north, speed: 1)
        }
        #expect(driver.policy.phase == .asleep(.hardware))
    }

    @Test func `a receiver that can only track cyclically does so while a client needs it`() {
        var driver = PolicyDriver(kinds: [.cyclic])
        driver.tell(.demanded(PolicyDriver.demand(1000)), at: 0)
        driver.tell(.ready, at: 0)
        #expect(driver.fix(at: 30).actions.last == .sleep(.cyclic, forNanoseconds: nil))
        #expect(driver.fix(at: 31) == .delivery)
    }

    @Test func `after two refusals of cyclic tracking the receiver tracks fully and is not asked again at once`() {
        var driver = Self.driving(kinds: [.cyclic, .hardware])
        driver.tell(.sleepRefused(.cyclic), at: 60)
        #expect(driver.policy.phase == .tracking)
        #expect(driver.fix(at: 61, north: 775, speed: 25).actions.contains(.sleep(.cyclic, forNanoseconds: nil)))
        driver.tell(.sleepRefused(.cyclic), at: 62)
        #expect(driver.fix(at: 63, north: 825, speed: 25) == .delivery && driver.policy.phase == .tracking)
    }

    @Test func `hardware sleep is preferred to software sleep, and a supply cut is used where there is neither`() {
        #expect(PolicyDriver.asleep(kinds: [.software]).policy.phase == .asleep(.software))
        #expect(PolicyDriver.asleep(kinds: [.software, .hardware]).policy.phase == .asleep(.hardware))
        #expect(PolicyDriver.asleep(PolicyDriver.demand(1000), kinds: [.cut]).policy.phase == .asleep(.cut))
    }

    @Test func `a supply cut costs a cold start and is chosen for a long rest only`() {
        var draw = ReceiverModel.neoM8N.powerDraw
        draw.hardwareSleep = 0.5
        var driver = PolicyDriver(sensor: false, kinds: [.hardware, .cut], draw: draw)
        driver.tell(.demanded(PolicyDriver.demand(250)), at: 0)
        driver.tell(.ready, at: 0)
        driver.fix(at: 30)
        #expect(driver.policy.phase == .asleep(.hardware))
        driver.tell(.demanded(.none), at: 40)
        var idle = PolicyDriver(sensor: false, kinds: [.hardware, .cut], draw: draw)
        idle.tell(.ready, at: 0)
        idle.pass(to: 5)
        #expect(idle.policy.phase == .asleep(.cut))
    }

    @Test func `after a refused sleep the search goes on, and the next fix tries the same sleep again`() {
        var driver = PolicyDriver.asleep(kinds: [.software])
        #expect(driver.tell(.sleepRefused(.software), at: 36).isEmpty && driver.policy.phase == .searching)
        #expect(driver.fix(at: 40).isDelivered && driver.policy.phase == .asleep(.software))
    }

    @Test func `after two refusals of one kind of sleep another kind is used`() {
        var driver = PolicyDriver.asleep(PolicyDriver.demand(1000), kinds: [.software, .cut])
        #expect(driver.policy.phase == .asleep(.software))
        driver.tell(.sleepRefused(.software), at: 36)
        driver.fix(at: 40)
        driver.tell(.sleepRefused(.software), at: 45)
        driver.fix(at: 50)
        #expect(driver.policy.phase == .asleep(.cut))
    }

    @Test func `a confirmed sleep resets the count of refusals`() {
        var driver = PolicyDriver.asleep(kinds: [.software, .cut])
        driver.tell(.sleepRefused(.software), at: 36)
        driver.fix(at: 40)
        driver.tell(.asleep(.software), at: 42)
        driver.tell(.sleepRefused(.software), at: 45)
        driver.fix(at: 50)
        #expect(driver.policy.phase == .asleep(.software))
    }

    @Test func `an idle receiver that refuses to sleep is told again at once, and after two refusals an hour later`() {
        var driver = PolicyDriver(kinds: [.software])
        driver.tell(.ready, at: 0)
        driver.pass(to: 2)
        let again: [PowerAction] = [.sleep(.software, forNanoseconds: nil)]
        #expect(driver.tell(.sleepRefused(.software), at: 6) == again)
        #expect(driver.tell(.sleepRefused(.software), at: 10).isEmpty && driver.deadline == 3610)
        driver.pass(to: 3610)
        #expect(driver.done.last?.action == again.first && driver.deadline == nil)
    }

    @Test func `if the kind of sleep in use is lost, the receiver searches, or sleeps another way when idle`() {
        var driver = PolicyDriver.asleep(kinds: [.software, .hardware])
        #expect(driver.tell(.sleepKinds([.software]), at: 40).isEmpty && driver.policy.phase == .searching)
        var idle = PolicyDriver(kinds: [.software, .hardware])
        idle.tell(.ready, at: 0)
        idle.pass(to: 2)
        #expect(idle.tell(.sleepKinds([.software]), at: 40) == [.sleep(.software, forNanoseconds: nil)])
    }

    @Test func `a receiver that cannot sleep stays on and searches until it has a fix`() {
        var driver = PolicyDriver(kinds: [])
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 121)
        #expect(driver.failures == [.searchFailed(afterSeconds: 120, retryInSeconds: 0)])
        #expect(driver.policy.phase == .searching && driver.deadline == 240)
        #expect(driver.fix(at: 150).isDelivered && driver.policy.phase == .tracking)
        driver.tell(.demanded(.none), at: 160)
        driver.pass(to: 170)
        #expect(driver.policy.phase == .tracking && driver.deadline == nil)
    }

    @Test func `a confirmation of another kind of sleep is believed, and a late one of cyclic tracking is ignored`() {
        var driver = PolicyDriver.asleep(kinds: [.software, .hardware])
        driver.tell(.asleep(.cyclic), at: 31)
        #expect(driver.policy.phase == .asleep(.hardware))
        driver.tell(.asleep(.software), at: 32)
        #expect(driver.policy.phase == .asleep(.software))
    }

    @Test func `a receiver whose port was lost searches again once it is ready`() {
        var driver = PolicyDriver.asleep()
        #expect(driver.tell(.portLost, at: 40).isEmpty && driver.policy.phase == .unreachable)
        driver.pass(to: 10_000)
        #expect(driver.wakes.isEmpty && driver.deadline == nil)
        driver.tell(.ready, at: 10_000)
        #expect(driver.policy.phase == .searching && driver.deadline == 10_120)
    }

    @Test func `a receiver that answers at no rate is unreachable`() {
        var driver = PolicyDriver.asleep()
        #expect(driver.tell(.unresponsive, at: 40).isEmpty && driver.policy.phase == .unreachable)
    }

    @Test func `losing the fix starts a search, and ends cyclic tracking`() {
        var driver = Self.driving(kinds: [.hardware])
        driver.pass(to: 69)
        #expect(driver.policy.phase == .searching && driver.done.isEmpty)
        var cyclic = Self.driving(kinds: [.cyclic, .hardware])
        cyclic.pass(to: 69)
        #expect(cyclic.policy.phase == .searching && cyclic.wakes == [69])
    }

    @Test func `after a poor first fix the policy waits up to ten seconds for a better one`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        #expect(!driver.fix(at: 30, accuracy: 60).isDelivered)
        #expect(!driver.fix(at: 31, accuracy: 40).isDelivered)
        #expect(driver.fix(at: 32, accuracy: 24).isDelivered)
        var poor = PolicyDriver()
        poor.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        poor.tell(.ready, at: 0)
        let delivered = (30...45).filter { poor.fix(at: Double($0), accuracy: 200 - Double($0)).isDelivered }
        #expect(delivered.first == 40)
    }

    /// Idle until `second`, then a position for so many seconds, then 50 m and one fix more.
    private func waking(at second: Double, trackingFor seconds: Double) -> PolicyDriver {
        var driver = PolicyDriver.asleep()
        driver.tell(.demanded(.none), at: 40)
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: second)
        driver.fix(at: second + 5)
        driver.tell(.demanded(PolicyDriver.demand(50)), at: second + 5 + seconds - 0.5)
        driver.fix(at: second + 5 + seconds)
        return driver
    }

    @Test func `a receiver stays on to finish renewing a stale ephemeris, then sleeps`() {
        var driver = waking(at: 20_000, trackingFor: 20)
        #expect(driver.policy.phase == .tracking)
        #expect(driver.fix(at: 20_039) == .delivery && driver.policy.phase == .tracking)
        driver.fix(at: 20_040)
        #expect(driver.policy.phase == .asleep(.hardware))
    }

    @Test func `a receiver does not stay on for an ephemeris that is young or needs much more time`() {
        #expect(waking(at: 20_000, trackingFor: 2).policy.phase == .asleep(.hardware))
        #expect(waking(at: 1000, trackingFor: 20).policy.phase == .asleep(.hardware))
    }
}

@Suite("Receiver power policy: motion")
struct ReceiverPowerPolicyMotionTests {
    @Test func `motion starts a search at once, and the search ends if the motion lasts under three seconds`() {
        var driver = PolicyDriver.asleep()
        let before = driver.deadline
        #expect(driver.tell(.motion(true), at: 100) == [.wake] && driver.policy.phase == .searching)
        let actions = driver.tell(.motion(false), at: 102.5)
        #expect(driver.policy.phase == .asleep(.hardware) && actions.count == 1)
        #expect(abs((driver.deadline ?? 0) - (before ?? 1)) < 1, "the plan of before holds")
    }

    @Test func `a search goes on after motion of three seconds or more, to confirm where the board rests`() {
        var driver = PolicyDriver.asleep()
        driver.tell(.motion(true), at: 100)
        #expect(driver.tell(.motion(false), at: 104).isEmpty && driver.policy.phase == .searching)
    }

    @Test func `motion does not wake the receiver early for a coarse demand with a long interval`() {
        var driver = PolicyDriver.asleep(PolicyDriver.demand(500, interval: 300))
        #expect(driver.tell(.motion(true), at: 60).isEmpty)
        driver.pass(to: 1000)
        #expect(driver.wakes.first.map { (300...330).contains($0) } == true)
    }

    @Test func `after a move that may exceed the accuracy the receiver confirms the place of the stop`() {
        var driver = PolicyDriver.asleep()
        driver.tell(.motion(true), at: 100)
        driver.fix(at: 105, north: 40, speed: 8)
        driver.pass(to: 108)
        driver.tell(.motion(false), at: 125)
        driver.pass(to: 130)
        #expect(driver.policy.phase != .asleep(.hardware), "the place is not known yet")
    }

    @Test func `at rest, fixes come every two hours with a motion sensor and every five minutes without`() throws {
        var watched = PolicyDriver.asleep()
        var unwatched = PolicyDriver.asleep(sensor: false)
        for _ in 0..<60 {
            watched.pass(to: try #require(watched.deadline))
            watched.fix(at: try #require(watched.wakes.last) + 5)
            unwatched.pass(to: try #require(unwatched.deadline))
            unwatched.fix(at: try #require(unwatched.wakes.last) + 5)
        }
        func lastGap(_ driver: PolicyDriver) -> Double { driver.wakes[59] - driver.wakes[58] }
        #expect((7100...7205).contains(lastGap(watched)))
        #expect((300...306).contains(lastGap(unwatched)))
    }

    @Test func `motion events are ignored on a board without a motion sensor`() {
        var driver = PolicyDriver.asleep(sensor: false)
        let before = driver.deadline
        driver.tell(.motion(true), at: 40)
        #expect(driver.deadline == before)
    }

    @Test func `the receiver is woken early enough for its fix to come in time`() throws {
        // A walker at 1.4 m/s who is asked for 250 m, and searches that take 30 s.
        var learned = LearnedState(receiver: "NEO-M8N", believing: PolicyDriver.times)
        for _ in 0..<60 { learned.noteStart(.hardware, off: 100, ephemerisAge: 0, seconds: 15) }
        var driver = PolicyDriver(sensor: false, learned: learned)
        driver.tell(.demanded(PolicyDriver.demand(250)), at: 0)
        driver.tell(.ready, at: 0)
        var second = 30.0
        var late = 0.0
        for _ in 0..<60 {
            driver.fix(at: second, north: second * 1.4, speed: 1.4)
            let last = second
            driver.pass(to: try #require(driver.deadline))
            second = try #require(driver.wakes.last) + 15
            late += max(0, second - last - 250 / 1.4)
        }
        #expect(late / second < 0.01)
        #expect(second / 60 > 120)
    }

    @Test func `the uncertainty starts at the fix's accuracy and grows only during motion`() throws {
        var driver = PolicyDriver()
        #expect(driver.policy.uncertainty(at: PolicyDriver.instant(10)) == nil)
        driver = PolicyDriver.asleep()
        #expect(driver.policy.uncertainty(at: PolicyDriver.instant(1000)) == 4.5)
        driver.tell(.motion(true), at: 1000)
        let (soon, later) = (
            try #require(driver.policy.uncertainty(at: PolicyDriver.instant(1060))),
            try #require(driver.policy.uncertainty(at: PolicyDriver.instant(1300)))
        )
        #expect(soon > 10 && later > soon)
    }
}

@Suite("Receiver power policy: memory")
struct ReceiverPowerPolicyMemoryTests {
    /// An hour's ride at 6 m/s, watched, with searches of two seconds.
    private func ride() -> PolicyDriver {
        var driver = PolicyDriver.asleep(PolicyDriver.demand(100))
        driver.tell(.motion(true), at: 60)
        for second in 60..<3660 {
            let before = driver.policy.phase
            driver.pass(to: Double(second))
            let isOn = driver.policy.phase == .tracking || before == .searching && driver.policy.phase == .searching
            if isOn { driver.fix(at: Double(second), north: 6 * Double(second - 60), speed: 6) }
        }
        return driver
    }

    @Test func `what was learned survives a restart, movements included`() throws {
        let driver = ride()
        let learned = driver.policy.learned
        #expect(learned != PolicyDriver().policy.learned)
        let bytes = learned.encode()
        let kept = try LearnedState(decoding: bytes.span, receiver: "NEO-M8N", believing: PolicyDriver.times)
        #expect(kept == learned)
        let again = PolicyDriver(learned: kept)
        #expect(again.policy.learned == learned)
    }

    @Test func `a policy with learned state plans differently from a new one`() throws {
        let learned = ride().policy.learned
        func firstGap(_ driver: PolicyDriver) throws -> Double {
            var driver = driver
            driver.tell(.demanded(PolicyDriver.demand(400)), at: 0)
            driver.tell(.ready, at: 0)
            driver.fix(at: 30, speed: 6)
            return try #require(driver.deadline)
        }
        #expect(try firstGap(PolicyDriver(sensor: false, learned: learned)) != firstGap(PolicyDriver(sensor: false)))
    }

    @Test func `the learned state is saved after the first start, and then at most once an hour`() {
        var driver = PolicyDriver(kinds: [.hardware])
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 0)
        driver.tell(.ready, at: 0)
        var kept: [Int] = []
        for second in 30..<20_000 where driver.fix(at: Double(second)).actions.contains(.learned) {
            kept.append(second)
        }
        #expect(kept == [30, 3630, 7230, 10_830, 14_430, 18_030])
    }
}
