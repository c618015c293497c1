import HostSleep
import SextantUnits
import Testing

@Suite("The host goes to sleep")
struct HostSleepPolicyTests {
    @Test func `a board at rest sleeps, and clients are told half a minute before`() throws {
        var board = PolicyDriver()
        board.run(until: 1000)
        let order = try #require(board.order)
        #expect(
            board.done.filter { $0 != .keep } == [
                .order(.inspect(wall: nil)),
                .tellSleep(at: PolicyDriver.instant(90), until: PolicyDriver.instant(7260)),
                .store, .order(.inspect(wall: nil)), .order(.arm(order)), .order(.powerOff(order)),
            ])
        // Two hours after the clients were told, by the switch's clock; the second way back 300 s later, in whole minutes.
        #expect(PolicyDriver.second(order.alarm) == 7290)
        #expect(order.backstop == 7500)
        #expect(order.byMotion)
    }

    @Test(arguments: [false, true])
    func `SLEEP-03: without the owner's two keys and a trial nothing is asked for in a year`(isTried: Bool) {
        var notAllowed = PolicyDriver(HostSleepSettings(), isTried: isTried)
        var noSwitch = PolicyDriver(traits: nil, isTried: isTried)
        var notTried = PolicyDriver(isTried: false)
        for day in 1...365 {
            for hour in 0..<24 {
                let end = Double(day - 1) * 86_400 + Double(hour) * 3600
                notAllowed.run(until: end)
                noSwitch.run(until: end)
                notTried.run(until: end)
                for moves in [true, false] {
                    notAllowed.tell(.motion(moves))
                    noSwitch.tell(.motion(moves))
                    notTried.tell(.motion(moves))
                }
            }
        }
        for board in [notAllowed, noSwitch, notTried] {
            #expect(board.done.allSatisfy { $0 == .keep })
            #expect(board.policy.deadline(at: PolicyDriver.instant(board.now)) == nil)
        }
        #expect(notAllowed.reasons.contains(.notAllowed))
        #expect(noSwitch.reasons.contains(.noSwitch))
        #expect(notTried.reasons.contains(.notTried))
    }

    @Test(arguments: [
        StayAwakeReason.gpsdClient, .everyEpoch, .heading, .operator, .foreground, .singleRequest, .background, .veto,
    ])
    func `SLEEP-08: what a client needs keeps the host on for a day, without a timer`(reason: StayAwakeReason) {
        var board = PolicyDriver()
        board.tell(.needs(PolicyDriver.holding(reason)))
        board.run(until: 86_400)
        #expect(board.order == nil)
        #expect(board.reasons == [reason])
        #expect(board.policy.deadline(at: PolicyDriver.instant(board.now)) == nil)
    }

    @Test(arguments: [
        StayAwakeReason.inhibitor, .session, .secondMaster, .packageManager, .storeFails, .stayAwake, .externalPower,
    ])
    func `SLEEP-08: what the system says keeps the host on for a day, by name`(reason: StayAwakeReason) {
        var board = PolicyDriver()
        board.inspection.isInhibited = reason == .inhibitor
        board.inspection.hasSession = reason == .session
        board.inspection.hasSecondMaster = reason == .secondMaster
        board.inspection.isPackageManagerBusy = reason == .packageManager
        board.inspection.isStoreSound = reason != .storeFails
        board.inspection.isStayAwakeFileThere = reason == .stayAwake
        board.inspection.hasExternalPower = reason == .externalPower
        board.run(until: 86_400)
        #expect(board.order == nil)
        #expect(board.reasons == [reason])
        // After 10, 20, 40 … minutes, and never more seldom than every six hours.
        #expect(board.done.filter { $0 == .order(.inspect(wall: nil)) }.count == 9)
    }

    @Test func `what could not be found out keeps the host on`() {
        for leaveOut in 0..<7 {
            var board = PolicyDriver()
            if leaveOut == 0 { board.inspection.isInhibited = nil }
            if leaveOut == 1 { board.inspection.hasSession = nil }
            if leaveOut == 2 { board.inspection.hasSecondMaster = nil }
            if leaveOut == 3 { board.inspection.isPackageManagerBusy = nil }
            if leaveOut == 4 { board.inspection.isStoreSound = nil }
            if leaveOut == 5 { board.inspection.isStayAwakeFileThere = nil }
            if leaveOut == 6 { board.inspection.hasExternalPower = nil }
            board.run(until: 3000)
            #expect(board.order == nil, "\(leaveOut)")
            #expect(board.reasons == [.unanswered], "\(leaveOut)")
        }
    }

    @Test(arguments: [-86_400.0, -3600, -2.1, 2.1, 3600, 86_400, -1_795_780_800])
    func `SLEEP-11: a switch whose clock is apart from the host's is not trusted with a sleep`(seconds: Double) {
        var board = PolicyDriver()
        board.inspection.switchClock = PolicyDriver.wall.advanced(byNanoseconds: Int64((60 + seconds) * 1e9))
        board.run(until: 100)
        #expect(board.order == nil)
        #expect(board.reasons == [.clock])
    }

    @Test func `motion, or a client that comes, ends a sleep that is being prepared, and what was set is taken back`() {
        for event in [HostEvent.motion(true), .needs(PolicyDriver.holding(.foreground))] {
            var told = PolicyDriver()
            told.run(until: 70)
            told.tell(event)
            #expect(told.done.last == .tellStay)
            #expect(!told.done.contains(.order(.disarm)))
            told.run(until: 3000)
            #expect(told.order == nil)

            var stopping = PolicyDriver()
            stopping.run(until: 90)
            #expect(stopping.order != nil)
            stopping.tell(event)
            #expect(stopping.done.suffix(2) == [.order(.disarm), .tellStay])
        }
    }

    @Test func `a board that has just come to rest stays on for a minute`() {
        var board = PolicyDriver()
        board.tell(.motion(true))
        board.now = 500
        board.tell(.motion(false))
        board.run(until: 559)
        #expect(board.reasons == [.moving])
        board.run(until: 560)
        #expect(board.done.last == .tellSleep(at: PolicyDriver.instant(590), until: PolicyDriver.instant(7760)))
    }

    @Test func `a board that its alarm woke, and motion would have, has rested all the time`() {
        var board = PolicyDriver(boot: PolicyDriver.byAlarm)
        board.run(until: 30)
        #expect(board.order != nil)
        var deaf = PolicyDriver(hasMotionWake: false, boot: PolicyDriver.byAlarm)
        deaf.run(until: 59)
        #expect(deaf.reasons == [.moving])
    }

    @Test func `motion is not counted on while no sensor tells of it, and a sleep that did is taken back`() {
        var needs = HostNeeds()
        needs.isBlind = true
        var blind = PolicyDriver()
        blind.tell(.needs(needs))
        blind.run(until: 1000)
        #expect(blind.order?.byMotion == false)

        var board = PolicyDriver()
        board.run(until: 1000)
        #expect(board.order?.byMotion == true)
        board.tell(.needs(needs))
        #expect(board.done.suffix(2) == [.order(.disarm), .tellStay])
    }

    @Test func `a client may hold a sleep for a minute, and all of them for two`() {
        var board = PolicyDriver()
        board.run(until: 70)
        board.tell(.hold(seconds: 3600))
        board.run(until: 149)
        #expect(board.order == nil)
        board.tell(.hold(seconds: 60))
        board.tell(.hold(seconds: 60))
        board.run(until: 209)
        #expect(board.order == nil)
        board.run(until: 210)
        #expect(board.order != nil)
    }

    @Test func `what does not stand in the chip is set three times, taken back, and tried again after ten minutes`() {
        let faults: [(SwitchOrder) -> SwitchReading?] = [
            { _ in nil },
            { SwitchReading(clock: PolicyDriver.wall, alarm: nil, backstop: $0.backstop, byMotion: true) },
            { order in
                SwitchReading(
                    clock: order.alarm.advanced(byNanoseconds: -7_200_000_000_000),
                    alarm: order.alarm.advanced(byNanoseconds: 1_000_000_000), backstop: order.backstop, byMotion: true)
            },
        ]
        for fault in faults {
            var board = PolicyDriver()
            board.reading = fault
            board.run(until: 100)
            #expect(board.order == nil)
            let arms = board.done.filter { if case .order(.arm) = $0 { true } else { false } }
            #expect(arms.count == 3)
            #expect(board.done.suffix(2) == [.order(.disarm), .tellStay])
            #expect(board.reasons == [.alarmUnverified])
            board.reading = nil
            board.run(until: 800)
            #expect(board.order != nil)
        }
    }

    @Test func `a switch that does not forget its alarm is not trusted with a sleep in this boot`() {
        var board = PolicyDriver()
        board.tell(.report(.notCleared))
        board.run(until: 86_400)
        #expect(board.order == nil)
        #expect(board.reasons == [.alarmUnverified])
    }

    @Test func `a power-off that the system refuses is not insisted on`() {
        var board = PolicyDriver()
        board.run(until: 90)
        board.tell(.report(.powerOffAnswered(isAccepted: false)))
        #expect(board.done.suffix(2) == [.order(.disarm), .tellStay])
        #expect(board.reasons == [.refused])
    }

    @Test func `a switch without a second way back needs motion's, or the owner's word`() {
        let traits = HostSwitchTraits(
            horizon: 86_400, backstop: nil, tellsCause: false, proof: .chip, cutTrigger: .command, cutDelay: 30)
        var alone = PolicyDriver(traits: traits, hasMotionWake: false)
        alone.run(until: 1000)
        #expect(alone.order == nil)
        #expect(alone.reasons == [.noBackstop])

        var byMotion = PolicyDriver(traits: traits)
        byMotion.run(until: 1000)
        #expect(byMotion.order?.backstop == nil)
        #expect(byMotion.order?.byMotion == true)

        var settings = PolicyDriver.allowed
        settings.withoutBackstop = true
        var trusted = PolicyDriver(settings, traits: traits, hasMotionWake: false)
        trusted.run(until: 1000)
        #expect(trusted.order != nil)
    }

    @Test func `SLEEP-15: whoever switches the board on has 15 minutes`() {
        for cause in [WakeCause.button, .power, .unknown] {
            let boot = BootRecord(wake: HostWake(cause, isRead: true), slept: 0, wasAsleep: false, late: nil)
            var board = PolicyDriver(boot: boot)
            board.run(until: 899)
            #expect(board.order == nil)
            #expect(board.reasons == [.maintenance])
            board.run(until: 1000)
            #expect(board.order != nil)
        }
    }

    @Test func `SLEEP-15: whoever was logged in has 15 minutes from when he is seen to have logged out`() {
        var board = PolicyDriver()
        board.inspection.hasSession = true
        board.run(until: 100)
        #expect(board.reasons == [.session])
        board.inspection.hasSession = false
        // The system is looked at again ten minutes after the first look.
        board.run(until: 660 + 899)
        #expect(board.order == nil)
        #expect(board.reasons == [.maintenance])
        board.run(until: 660 + 1000)
        #expect(board.order != nil)
    }

    @Test func `SLEEP-15: the owner's word keeps the host on`() {
        var board = PolicyDriver()
        board.tell(.stayAwake(until: PolicyDriver.instant(7200)))
        board.run(until: 7199)
        #expect(board.order == nil)
        #expect(board.reasons == [.stayAwake])
        board.run(until: 7300)
        #expect(board.order != nil)
    }

    @Test func `with an empty battery nobody's need keeps the host on, and it looks once a day`() throws {
        var settings = PolicyDriver.allowed
        settings.longest = 7 * 86_400
        var board = PolicyDriver(settings)
        board.inspection.batteryPercent = 5
        board.tell(.needs(PolicyDriver.holding(.foreground)))
        board.run(until: 500)
        #expect(board.order == nil)
        board.tell(.report(.battery(5)))
        board.run(until: 1000)
        let order = try #require(board.order)
        #expect(PolicyDriver.second(order.alarm) == 530 + 86_400)
    }

    @Test func `SLEEP-18: a host that may not sleep asks for no timer`() {
        var board = PolicyDriver()
        board.tell(.motion(true))
        #expect(board.policy.deadline(at: PolicyDriver.instant(0)) == nil)
        board.tell(.motion(false))
        #expect(board.policy.deadline(at: PolicyDriver.instant(0)) == PolicyDriver.instant(60))
        board.tell(.needs(PolicyDriver.holding(.gpsdClient)))
        #expect(board.policy.deadline(at: PolicyDriver.instant(0)) == nil)
    }
}
