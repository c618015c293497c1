import HostSleep
import SextantUnits
import Testing

@Suite("How long the host sleeps")
struct HostSleepPlanTests {
    /// The second of the alarm of a board that may sleep from second 90 on.
    private func alarm(_ needs: HostNeeds, _ settings: HostSleepSettings = PolicyDriver.allowed) -> Double? {
        var board = PolicyDriver(settings)
        board.tell(.needs(needs))
        board.run(until: 1000)
        return board.order.map { PolicyDriver.second($0.alarm) }
    }

    @Test func `it wakes so long before a location is due as a boot takes`() {
        var needs = PolicyDriver.regions
        needs.locate = PolicyDriver.instant(3000)
        #expect(alarm(needs) == 2975)
    }

    @Test func `a location that is due within ten minutes keeps it on`() {
        var needs = PolicyDriver.regions
        needs.locate = PolicyDriver.instant(680)
        var board = PolicyDriver()
        board.tell(.needs(needs))
        board.run(until: 100)
        #expect(board.order == nil)
        #expect(board.reasons == [.tooSoon])
    }

    @Test func `what is to be told without a location may wait for the shortest sleep`() {
        var needs = PolicyDriver.regions
        needs.tell = PolicyDriver.instant(100)
        #expect(alarm(needs) == 690)
        needs.tell = PolicyDriver.instant(1115)
        #expect(alarm(needs) == 1090)
    }

    @Test func `SLEEP-10: without a need it sleeps as long as the owner allows, and never longer`() {
        var settings = PolicyDriver.allowed
        #expect(alarm(HostNeeds(), settings) == 21_690)
        settings.longest = 3600
        #expect(alarm(HostNeeds(), settings) == 3690)
        settings.longest = 90 * 86_400
        // The switch's alarm has no month.
        #expect(alarm(HostNeeds(), settings) == 604_890)
        settings.onlyWhenAsked = true
        #expect(alarm(HostNeeds(), settings) == nil)
    }

    @Test func `the shortest sleep is twice what pays`() {
        var needs = PolicyDriver.regions
        needs.locate = PolicyDriver.instant(90 + 25 + 800)
        var board = PolicyDriver(breakEven: 450)
        board.tell(.needs(needs))
        board.run(until: 90)
        #expect(board.order == nil)
        #expect(board.reasons == [.tooSoon])
    }

    @Test func `what a sleep costs, and from when on it pays`() throws {
        // A Zero 2 W with a PiJuice: 25 s and 21.2 J to boot, 8 s at 900 mW to stop, 10 s at 155 mW until the cut.
        let costs = HostCosts(
            bootSeconds: 25, bootJoules: 21.2, stopSeconds: 8, stopMilliwatts: 900, haltedMilliwatts: 155,
            idleMilliwatts: 600)
        #expect(costs.cycleSeconds(cutDelay: 10) == 43)
        #expect(abs(costs.cycleJoules(cutDelay: 10) - 29.95) < 0.01)
        let pays = try #require(costs.breakEven(cutDelay: 10, offMilliwatts: 5.2))
        #expect(abs(pays - 50) < 1)
        #expect(costs.breakEven(cutDelay: 10, offMilliwatts: 600) == nil)
    }
}
