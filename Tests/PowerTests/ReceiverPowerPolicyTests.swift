import Power
import Receivers
import SextantUnits
import Testing

@Suite("Receiver power policy: searching")
struct ReceiverPowerPolicySearchTests {
    @Test func `the policy waits until the receiver is ready before it searches`() {
        var driver = PolicyDriver()
        #expect(driver.policy.phase == .unreachable && driver.deadline == nil)
        #expect(driver.tell(.demanded(PolicyDriver.demand(50)), at: 1).isEmpty)
        #expect(driver.fix(at: 2) == .nothing && driver.deadline == nil)
        #expect(driver.tell(.ready, at: 3).isEmpty)
        #expect(driver.policy.phase == .searching && driver.deadline == 123)
    }

    @Test func `after the first good fix is delivered and learned from, the receiver sleeps`() throws {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        let first = driver.fix(at: 30)
        #expect(first.isDelivered && first.actions.first == .learned && first.actions.count == 2)
        guard case .sleep(.hardware, let nanoseconds?) = try #require(first.actions.last) else {
            Issue.record("no sleep but \(first.actions)")
            return
        }
        #expect(nanoseconds > 60_000_000_000)
        #expect(driver.deadline == 30 + Double(nanoseconds) / 1e9)
        #expect(driver.policy.phase == .asleep(.hardware) && driver.policy.nextStart == driver.policy.deadline)
    }

    @Test func `the next search begins as planned and its fix is delivered`() throws {
        var driver = PolicyDriver.asleep()
        let start = try #require(driver.deadline)
        driver.pass(to: start - 1)
        #expect(driver.wakes.isEmpty)
        driver.pass(to: start + 1)
        #expect(driver.wakes == [start] && driver.policy.phase == .searching)
        #expect(driver.fix(at: start + 5).isDelivered)
    }

    @Test func `a search's duration is learned for the kind of sleep before it`() throws {
        var driver = PolicyDriver.asleep()
        let before = driver.policy.learned
        let start = try #require(driver.deadline)
        driver.pass(to: start)
        driver.fix(at: start + 2)
        let (off, after) = (start - 30, driver.policy.learned)
        #expect(
            after.expected(.hardware, off: off, ephemerisAge: 0)
                < before.expected(.hardware, off: off, ephemerisAge: 0))
        #expect(after.firstStartQuantile(0.5) == before.firstStartQuantile(0.5))
    }

    @Test func `the ephemeris also ages while the receiver sleeps`() {
        // Two hours and more of best effort, then asleep for two hours and more: the start was not hot.
        var driver = PolicyDriver.asleep(PolicyDriver.demand(50, interval: 9000))
        let before = driver.policy.learned
        driver.pass(to: 9040)
        #expect(driver.wakes.count == 1)
        driver.fix(at: driver.wakes[0] + 40)
        let after = driver.policy.learned
        #expect(
            after.expected(.hardware, off: 9000, ephemerisAge: 0)
                > before.expected(.hardware, off: 9000, ephemerisAge: 0))
        #expect(
            after.expected(.hardware, off: 60, ephemerisAge: 0) == before.expected(.hardware, off: 60, ephemerisAge: 0)
        )
    }

    @Test func `the first search lasts at most two minutes, later ones as long as a warm start needs`() throws {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 119.9)
        #expect(driver.failures.isEmpty)
        driver.pass(to: 120)
        #expect(driver.failures == [.searchFailed(afterSeconds: 120, retryInSeconds: 60)])
        var later = PolicyDriver.asleep()
        let start = try #require(later.deadline)
        later.pass(to: start)
        let end = try #require(later.deadline)
        #expect((45...60).contains(end - start))
    }

    @Test func `a search while the board moves lasts at most two minutes`() throws {
        var driver = PolicyDriver.asleep()
        driver.tell(.motion(true), at: 100)
        #expect(driver.wakes.isEmpty && driver.deadline == 220)
    }

    @Test func `failed searches are repeated after 1, 2, 5, 10, 20, 30 and then every 60 minutes`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 13_000)
        #expect(driver.pauses == [60, 120, 300, 600, 1200, 1800, 3600, 3600, 3600])
        #expect(driver.wakes.first == 180 && driver.policy.isBackingOff)
    }

    @Test func `a failed search does not change the learned start times`() {
        var driver = PolicyDriver.asleep()
        let before = driver.policy.learned
        driver.pass(to: 50_000)
        #expect(driver.failures.count > 5)
        let after = driver.policy.learned
        for kind in SleepKind.allCases {
            for age in [0, 2000, 5000, 9000, 12_000, 20_000] as [Double] {
                #expect(
                    after.expected(kind, off: 0, ephemerisAge: age)
                        == before.expected(kind, off: 0, ephemerisAge: age))
            }
        }
        #expect(after.firstStartQuantile(0.5) == before.firstStartQuantile(0.5))
    }

    @Test func `a fix ends the back-off`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 425)
        #expect(driver.pauses == [60, 120] && driver.wakes == [180, 420])
        driver.fix(at: 430)
        driver.pass(to: 100_000)
        #expect(driver.pauses.dropFirst(2).prefix(3) == [60, 120, 300])
    }

    @Test func `motion ends a back-off at once`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 130)
        #expect(driver.policy.isBackingOff)
        #expect(driver.tell(.motion(true), at: 140) == [.wake] && driver.policy.phase == .searching)
    }

    @Test func `a new client ends a back-off, a client that leaves does not`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50, clients: [1, 2])), at: 0)
        driver.tell(.ready, at: 0)
        driver.pass(to: 130)
        #expect(driver.tell(.demanded(PolicyDriver.demand(50, clients: [1])), at: 135).isEmpty)
        #expect(driver.policy.isBackingOff)
        #expect(driver.tell(.demanded(PolicyDriver.demand(50, clients: [1, 3])), at: 140) == [.wake])
        driver.pass(to: 400)
        #expect(driver.failures.dropFirst().first == .searchFailed(afterSeconds: 120, retryInSeconds: 60))
    }

    @Test func `a search without a signal of 20 dB-Hz ends after 15 s, the first one after 45 s`() throws {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        for second in 1...40 { driver.tell(.noFix(strongestSignal: 19), at: Double(second)) }
        #expect(driver.deadline == 46)
        driver.tell(.noFix(strongestSignal: 20), at: 41)
        #expect(driver.deadline == 120)
        driver.fix(at: 50)
        let start = try #require(driver.deadline)
        driver.pass(to: start)
        driver.tell(.noFix(strongestSignal: nil), at: start + 1)
        #expect(try #require(driver.deadline) > start + 40)
        driver.tell(.noFix(strongestSignal: 0), at: start + 2)
        driver.pass(to: start + 17)
        #expect(driver.failures == [.searchFailed(afterSeconds: 17, retryInSeconds: 60)])
    }

    @Test func `the search for a single location lasts until its deadline, even without signals`() {
        var driver = PolicyDriver()
        driver.tell(.ready, at: 0)
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true, deadline: 1500)), at: 1)
        for second in 2...100 { driver.tell(.noFix(strongestSignal: 3), at: Double(second)) }
        #expect(driver.deadline == 1500)
        driver.pass(to: 1499)
        #expect(driver.policy.phase == .searching && driver.failures.isEmpty)
        driver.pass(to: 1501)
        #expect(driver.failures.count == 1 && driver.policy.isBackingOff)
        // Another one is news.
        #expect(
            driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true, deadline: 1530)), at: 1510) == [.wake])
    }

    @Test func `two starts are at least two seconds apart`() throws {
        var driver = PolicyDriver.asleep()
        let start = try #require(driver.deadline)
        driver.pass(to: start)
        #expect(driver.fix(at: start + 0.5).isDelivered && driver.policy.phase == .asleep(.hardware))
        #expect(driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: start + 1).isEmpty)
        #expect(driver.deadline == start + 2)
        driver.pass(to: start + 2)
        #expect(driver.wakes == [start, start + 2])
    }
}

@Suite("Receiver power policy: demand")
struct ReceiverPowerPolicyDemandTests {
    @Test func `a receiver without clients sleeps after two seconds and is not woken again`() {
        var driver = PolicyDriver()
        driver.tell(.ready, at: 0)
        #expect(driver.deadline == 2)
        driver.pass(to: 2)
        #expect(driver.done.map(\.action) == [.sleep(.hardware, forNanoseconds: nil)] && driver.deadline == nil)
    }

    @Test func `a tracking receiver sleeps two seconds after the last client leaves unless another comes`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 0)
        driver.tell(.ready, at: 0)
        driver.fix(at: 30)
        #expect(driver.tell(.demanded(.none), at: 40).isEmpty && driver.deadline == 42)
        #expect(driver.fix(at: 41) == .nothing)
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 41.5)
        #expect(driver.fix(at: 42) == .delivery)
        driver.tell(.demanded(.none), at: 50)
        driver.pass(to: 60)
        #expect(driver.done.map(\.second) == [52] && driver.deadline == nil)
        #expect(driver.policy.phase == .asleep(.hardware))
    }

    @Test func `a searching receiver sleeps two seconds after the last client leaves and learns nothing`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.tell(.demanded(.none), at: 10)
        #expect(driver.policy.phase == .searching)
        driver.pass(to: 20)
        #expect(driver.done.map(\.second) == [12] && driver.policy.phase == .asleep(.hardware))
        #expect(driver.policy.learned == PolicyDriver().policy.learned)
    }

    @Test func `when the last client leaves, a sleeping receiver is told once to sleep without end`() {
        var driver = PolicyDriver.asleep()
        #expect(driver.tell(.demanded(.none), at: 40) == [.sleep(.hardware, forNanoseconds: nil)])
        #expect(driver.tell(.demanded(.none), at: 41).isEmpty && driver.deadline == nil)
        driver.tell(.motion(true), at: 50)
        driver.pass(to: 100_000)
        #expect(driver.wakes.isEmpty)
    }

    @Test func `a client of an idle receiver gets a fix at once`() {
        var driver = PolicyDriver.asleep()
        driver.tell(.demanded(.none), at: 40)
        #expect(driver.tell(.demanded(PolicyDriver.demand(1000)), at: 50) == [.wake])
        #expect(driver.fix(at: 55).isDelivered)
    }

    @Test func `best accuracy keeps the receiver on, and every epoch is delivered`() {
        var driver = PolicyDriver(kinds: [.cyclic, .software, .hardware])
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 0)
        driver.tell(.ready, at: 0)
        for second in 30..<4000 {
            let outcome = driver.fix(at: Double(second), accuracy: second == 30 ? 80 : 4)
            #expect(outcome.isDelivered && outcome.actions.allSatisfy { $0 == .learned })
        }
        #expect(driver.policy.phase == .tracking && driver.done.isEmpty)
    }

    @Test func `a finer demand brings the next fix nearer, a coarser one puts it off`() throws {
        var driver = PolicyDriver.asleep(PolicyDriver.demand(250), sensor: true)
        driver.tell(.motion(true), at: 100)
        driver.fix(at: 105, north: 5, speed: 1)
        let coarse = try #require(driver.deadline)
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 106)
        let fine = try #require(driver.deadline)
        driver.tell(.demanded(PolicyDriver.demand(1000)), at: 106)
        let coarser = try #require(driver.deadline)
        #expect(fine < coarse && coarse < coarser)
    }

    @Test func `best accuracy wakes a sleeping receiver and ends cyclic tracking`() {
        var driver = PolicyDriver.asleep()
        #expect(driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 40) == [.wake])
        var cyclic = ReceiverPowerPolicySleepTests.driving(kinds: [.cyclic, .hardware])
        #expect(cyclic.policy.phase == .cyclic)
        #expect(cyclic.tell(.demanded(PolicyDriver.demand(0, keepsOn: true)), at: 60) == [.wake])
        #expect(cyclic.policy.phase == .tracking && cyclic.fix(at: 61, north: 600) == .delivery)
    }

    @Test func `a demand for best accuracy during a search keeps the receiver on after the fix`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.tell(.demanded(PolicyDriver.demand(0, keepsOn: true, clients: [1, 2])), at: 20)
        #expect(driver.deadline == 920)
        #expect(driver.fix(at: 30).isDelivered && driver.policy.phase == .tracking)
    }

    @Test func `a new client during a search extends the search to its full length`() {
        var driver = PolicyDriver()
        driver.tell(.demanded(PolicyDriver.demand(50)), at: 0)
        driver.tell(.ready, at: 0)
        driver.tell(.demanded(PolicyDriver.demand(50, clients: [1, 2])), at: 100)
        #expect(driver.deadline == 220)
    }

    @Test func `reports come rarely when every client has a long minimum interval`() throws {
        var driver = PolicyDriver.asleep(PolicyDriver.demand(10, interval: 600), sensor: false)
        for _ in 0..<5 {
            driver.pass(to: try #require(driver.deadline))
            let start = try #require(driver.wakes.last)
            driver.fix(at: start + 5, north: start * 20, speed: 20)
        }
        let gaps = zip(driver.wakes.dropFirst(), driver.wakes).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 >= 590 })
    }
}
