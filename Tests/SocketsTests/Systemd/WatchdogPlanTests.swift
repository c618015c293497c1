import SextantSockets
import SextantUnits
import Testing

private func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
}

@Suite("WatchdogPlan")
struct WatchdogPlanTests {
    /// What is told before a wait at `now`, and noted as told.
    private func wait(
        _ plan: inout WatchdogPlan, until planned: Double?, at now: Double
    ) -> WatchdogPlan.Announcement? {
        let announcement = plan.announcement(beforeWaitUntil: planned.map(at), now: at(now))
        if let announcement { plan.told(announcement) }
        return announcement
    }

    @Test func `the deadline is ten seconds after the planned instant`() {
        var plan = WatchdogPlan()
        #expect(wait(&plan, until: 300, at: 1) == .by(at(310)))
    }

    @Test func `without a plan the watchdog is off, which is announced once`() {
        var plan = WatchdogPlan()
        #expect(wait(&plan, until: nil, at: 1) == .off)
        #expect(wait(&plan, until: nil, at: 2) == nil)
    }

    @Test func `for a planned instant in the past the deadline counts from now`() {
        var plan = WatchdogPlan()
        #expect(wait(&plan, until: 100, at: 130) == .by(at(140)))
    }

    @Test func `ten epochs a second are announced every five seconds`() {
        var plan = WatchdogPlan()
        var told = 0
        for tick in 0..<600 {
            let now = Double(tick) / 10
            // The receiver's silence is due a second later, the end of the epoch sooner.
            if wait(&plan, until: now + (tick.isMultiple(of: 2) ? 1 : 0.03), at: now) != nil { told += 1 }
        }
        #expect((9...14).contains(told), "\(told) in a minute")
    }

    @Test func `an announced deadline is never before the planned end of a wait, and at most 15 s after it`() {
        var plan = WatchdogPlan()
        var deadline = at(0)
        var (now, seed) = (0.0, UInt64(7))
        for _ in 0..<10_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let planned = now + Double(seed >> 40) / Double(1 << 24) * 30
            if case .by(let instant)? = wait(&plan, until: planned, at: now) { deadline = instant }
            let spare = Double(deadline.nanoseconds(since: at(planned))) / 1e9
            #expect((4.99...15.01).contains(spare))
            now = planned
        }
    }

    @Test func `a plan that moves nearer is announced, so that a hang is detected in time`() {
        var plan = WatchdogPlan()
        _ = wait(&plan, until: 3600, at: 0)
        #expect(wait(&plan, until: 61, at: 60) == .by(at(71)))
    }

    @Test func `work served while nothing is planned is watched too`() {
        var plan = WatchdogPlan()
        _ = wait(&plan, until: nil, at: 1)
        #expect(plan.announcement(afterWaitAt: at(50)) == .by(at(60)))
        plan.told(.by(at(60)))
        #expect(plan.announcement(afterWaitAt: at(51)) == nil)
        #expect(wait(&plan, until: nil, at: 51) == .off)
    }

    @Test func `work served long before the planned instant is watched with a near deadline`() {
        var plan = WatchdogPlan()
        _ = wait(&plan, until: 3600, at: 0)
        #expect(plan.announcement(afterWaitAt: at(60)) == .by(at(70)))
        plan.told(.by(at(70)))
        #expect(wait(&plan, until: 3600, at: 61) == .by(at(3610)), "and then the plan holds again")
        #expect(plan.announcement(afterWaitAt: at(3600)) == nil, "it is that near by itself")
    }

    @Test func `a failed announcement is repeated`() {
        let plan = WatchdogPlan()
        #expect(plan.announcement(beforeWaitUntil: at(5), now: at(1)) == .by(at(15)))
        #expect(plan.announcement(beforeWaitUntil: at(5), now: at(1)) == .by(at(15)))
    }
}
