import SextantUnits
import Testing

@testable import HostSleep

@Suite("What boots before teach")
struct BootHistoryTests {
    /// A board that boots again and again, and the history that it keeps.
    private struct Board {
        var history: BootHistory? = BootHistory()
        /// The seconds for which it was on, boot by boot.
        private(set) var awake: [Double] = []
        private(set) var orders: [SwitchOrder?] = []

        /// One boot, from its cause to the next sleep, or to the end of a day.
        mutating func boot(
            _ cause: WakeCause, slept: Double = 3600, wasAsleep: Bool = true, late: Double? = 0, isServed: Bool = true,
            metres: Double? = 500, apart: Double = 0
        ) {
            let boot = BootRecord(wake: HostWake(cause, isRead: true), slept: slept, wasAsleep: wasAsleep, late: late)
            guard isServed else {
                history = PolicyDriver(history: history, boot: boot, isServed: false).policy.history
                return
            }
            var board = PolicyDriver(history: history, boot: boot)
            if let metres { board.tell(.located(metres: metres)) }
            board.tell(.clockCompared(apart: apart))
            board.run(until: 86_400)
            history = board.policy.history
            awake.append(history?.boots.last?.awake ?? 0)
            orders.append(board.order)
        }

        var reasons: [StayAwakeReason] {
            var board = PolicyDriver(history: history)
            board.now = 100
            return board.reasons
        }
    }

    @Test func `SLEEP-09: after three boots that did not serve the host stays on for an hour, then for two`() {
        var board = Board()
        for _ in 0..<3 { board.boot(.alarm, isServed: false) }
        board.boot(.alarm)
        #expect(board.awake.last == 3630)
        for _ in 0..<3 { board.boot(.alarm, isServed: false) }
        board.boot(.alarm)
        #expect(board.awake.last == 7230)
        for _ in 0..<5 { board.boot(.alarm) }
        for _ in 0..<3 { board.boot(.alarm, isServed: false) }
        board.boot(.alarm)
        #expect(board.awake.last == 3630)
    }

    @Test func `SLEEP-09: three sleeps that end at once and unasked keep the host on`() {
        var board = Board()
        for _ in 0..<3 { board.boot(.unknown, slept: 10) }
        #expect(board.awake.last == 3630)
    }

    @Test func `SLEEP-09: boots that cannot be read keep the host on`() {
        var board = PolicyDriver(history: nil)
        board.run(until: 30 * 86_400)
        #expect(board.order == nil)
        #expect(board.reasons == [.bootsUnknown])
    }

    @Test func `after one missed alarm sleeps are short until five went well, after two it is the owner's`() {
        var board = Board()
        board.boot(.backstop, late: 300)
        #expect(board.orders.last??.backstop == 2100)
        for _ in 0..<4 { board.boot(.alarm) }
        #expect(board.orders.last??.backstop == 2100)
        board.boot(.alarm)
        #expect(board.orders.last??.backstop == 7500)

        board.boot(.backstop, late: 300)
        board.boot(.alarm, late: 61)
        #expect(board.orders.last == .some(nil))
        #expect(board.reasons == [.missedAlarms])
        var allowed = PolicyDriver(history: board.history)
        allowed.tell(.allowed)
        allowed.run(until: 1000)
        #expect(allowed.order != nil)
    }

    @Test(arguments: [(Double?.some(-600), false), (5, true), (nil, true)])
    func `a supply that comes before the alarm is due is no missed alarm`(late: Double?, isMissed: Bool) {
        let boot = BootRecord(wake: HostWake(.power, isRead: true), slept: 3000, wasAsleep: true, late: late)
        #expect(boot.missedAlarm == isMissed)
    }

    @Test func `SLEEP-11: a switch whose clock was wrong gets short sleeps until it was right five times`() {
        var board = Board()
        // 5 s and a crystal's 50 ppm of an hour.
        board.boot(.alarm, apart: 5.1)
        #expect(board.orders.last??.backstop == 7500)
        board.boot(.alarm, apart: 5.2)
        #expect(board.orders.last??.backstop == 2100)
        for _ in 0..<5 { board.boot(.alarm, apart: -5.1) }
        #expect(board.orders.last??.backstop == 7500)
    }

    @Test func `SLEEP-16: a sensor that fires every half minute costs at most twenty boots in the first day`() {
        var board = Board()
        var (elapsed, boots) = (0.0, 0)
        while elapsed < 86_400 {
            board.boot(.motion, slept: 30, late: nil, metres: 3)
            boots += 1
            elapsed += 30 + (board.awake.last ?? 0)
            // Where motion does not wake it, the alarm does.
            while let order = board.orders.last ?? nil, !order.byMotion, elapsed < 86_400 {
                let slept = (order.backstop ?? 0) - 300
                board.boot(.alarm, slept: slept, metres: 3)
                elapsed += slept + (board.awake.last ?? 0)
            }
        }
        #expect(boots <= 20)
    }

    @Test func `a board that sleeps only with motion's wake sleeps again once that is no longer disabled`() throws {
        let traits = HostSwitchTraits(
            horizon: 86_400, backstop: nil, tellsCause: false, proof: .chip, cutTrigger: .command, cutDelay: 30)
        var history = BootHistory()
        history.restlessLeft = 3600 + 1800
        // The hour of sleep before this boot counts.
        var board = PolicyDriver(traits: traits, history: history)
        board.run(until: 1799)
        #expect(board.order == nil)
        #expect(board.reasons == [.noBackstop])
        board.run(until: 1900)
        let order = try #require(board.order)
        #expect(order.byMotion)
    }

    @Test func `motion that led somewhere goes on waking the host`() {
        var board = Board()
        for _ in 0..<30 { board.boot(.motion, slept: 30, late: nil, metres: 500) }
        #expect(board.orders.allSatisfy { $0?.byMotion == true })
    }

    @Test func `it learns how long a boot takes`() {
        #expect(BootHistory().boot == 25)
        var history: BootHistory? = BootHistory()
        for seconds in 11...20 {
            history = PolicyDriver(history: history, secondsToServe: Double(seconds)).policy.history
        }
        // Nine of these ten were as fast.
        #expect(history?.boot == 19)
    }

    @Test func `three trials and a reboot are needed, and another board, kernel or switch begins anew`() throws {
        var history: BootHistory? = BootHistory()
        for count in 1...3 {
            var board = PolicyDriver(history: history, isTried: false)
            board.inspection.hasSession = true
            board.tell(.needs(PolicyDriver.holding(.foreground)))
            board.tell(.tryOut)
            // Whoever asks for it is logged in, and logs out.
            board.run(until: 50)
            #expect(board.order == nil)
            board.inspection.hasSession = false
            board.run(until: 100)
            let order = try #require(board.order)
            #expect(PolicyDriver.second(order.alarm) == 210)
            #expect(order.backstop == 420)
            var woken = PolicyDriver.byAlarm
            woken.wasTrial = true
            history = PolicyDriver(history: board.policy.history, boot: woken, isTried: false).policy.history
            #expect(history?.trials == count)
            #expect(history?.isTried == false)
        }
        let rebooted = BootRecord(wake: HostWake(.unknown, isRead: false), slept: 0, wasAsleep: false, late: nil)
        history = PolicyDriver(history: history, boot: rebooted, isTried: false).policy.history
        #expect(history?.isTried == true)

        let other = HostSleepPolicy(
            PolicyDriver().policy.configuration, history: history, boot: rebooted, fingerprint: 7, at: .zero)
        #expect(other.history?.isTried == false)

        var missed = PolicyDriver.byAlarm
        (missed.wake, missed.wasTrial) = (HostWake(.backstop, isRead: true), true)
        #expect(PolicyDriver(history: history, boot: missed, isTried: false).policy.history?.isTried == false)
    }

    @Test func `a switch that does not answer in one boot keeps the host on, and its trials count in the next`() {
        var history = BootHistory()
        (history.trials, history.hasRebooted, history.fingerprint) = (3, true, 7)
        let boot = BootRecord(wake: HostWake(.unknown, isRead: false), slept: 0, wasAsleep: false, late: nil)
        history.began(boot, fingerprint: 0)
        #expect(!history.isTried)
        var next = read(history.encode())
        next?.began(boot, fingerprint: 7)
        #expect(next?.isTried == true)
    }

    private func read(_ bytes: [UInt8]) -> BootHistory? { BootHistory.decode(bytes.span) }

    @Test func `what is stored is read again, and no damaged byte is taken for it`() throws {
        var board = Board()
        for index in 0..<40 {
            board.boot(
                WakeCause.allCases[index % WakeCause.allCases.count], late: index % 3 == 0 ? nil : 5,
                metres: index % 4 == 0 ? nil : 3)
        }
        let history = try #require(board.history)
        let bytes = history.encode()
        #expect(history.boots.count == BootHistory.capacity)
        #expect(bytes.count <= 1400)
        #expect(read(bytes) == history)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            #expect(read(damaged) == nil)
            #expect(read(Array(bytes[..<index])) == nil)
        }
    }

    @Test func `a boot before its alarm, by a clock that went back, leaves a history that is read again`() throws {
        let history = try #require(PolicyDriver(boot: PolicyDriver.byAlarm, secondsToServe: -3500).policy.history)
        #expect(history.boots.last?.served == true)
        #expect(history.boot == BootHistory().boot)
        #expect(read(history.encode()) == history)
    }

    @Test func `the stored form is version, counts, numbers, boots, and the check of all before it`() throws {
        var record = RecordWriter()
        record.write(raw: [1, 1, 2, 3, 4, 5, 1, 2, 1])
        record.write(0x0102_0304 as UInt32)
        record.write(60.0)
        record.write(30.5)
        record.write(2 as UInt8)
        for seconds in [11, 12.5] { record.write(seconds) }
        record.write(2 as UInt8)
        // By motion, served, late, a trial; and by a button, travelled.
        record.write(raw: [1, 0b101101])
        for number in [600, 30, -2.5] { record.write(number) }
        record.write(raw: [4, 0b010010])
        for number in [0, 40, 125.0] { record.write(number) }
        record.write(CRC32.of(record.bytes.span))
        let history = try #require(read(record.bytes))
        #expect(history.encode() == record.bytes)
        #expect(history.boots[0].late == -2.5)
        #expect(history.boots[1].travelled == 125)
    }
}
