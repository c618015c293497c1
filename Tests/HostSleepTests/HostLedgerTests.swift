import SextantUnits
import Testing

@testable import HostSleep

@Suite("Account of the host's energy")
struct HostLedgerTests {
    private static let costs = HostSleepCosts(
        HostCosts(
            bootSeconds: 20, bootJoules: 16, stopSeconds: 8, stopMilliwatts: 900, haltedMilliwatts: 150,
            idleMilliwatts: 600), offMilliwatts: 5, areMeasured: true)

    private func ledger(
        after seconds: Double?, for reason: HostLedger.Reason = .heartbeat, asking: [String] = ["tracker", "alarm"]
    ) -> HostLedger {
        var ledger = HostLedger(since: UTCInstant(nanoseconds: 7)).adding(on: 100, joules: 60)
        ledger.slept(seconds, cutDelay: 10, for: reason, asking: asking, costing: Self.costs)
        return ledger
    }

    @Test func `a sleep is its stop, its cut, the time off and its boot`() {
        let ledger = ledger(after: 1038)
        #expect(HostLedger.State.allCases.map { ledger.spent($0).seconds } == [100, 8, 10, 1000, 20])
        let joules = HostLedger.State.allCases.map { ledger.spent($0).joules }
        #expect(zip(joules, [60, 7.2, 1.5, 5, 16]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(abs(ledger.wakes(.heartbeat).joules - 24.7) < 1e-9)
        #expect(ledger.wakes(.heartbeat).count == 1 && ledger.boots == 1 && ledger.untimed == 0)
    }

    @Test func `a sleep that no clock told has no time off, and is counted`() {
        let ledger = ledger(after: nil)
        #expect(ledger.spent(.off).seconds == 0 && ledger.spent(.booting).seconds == 20 && ledger.untimed == 1)
    }

    @Test func `a wake during the stop costs no more time than there was`() {
        let ledger = ledger(after: 21)
        #expect(abs(ledger.total.seconds - 121) < 1e-9 && ledger.spent(.booting).seconds == 20)
    }

    @Test(arguments: [
        (WakeCause.alarm, HostSleepPlan.Cause?.some(.locate), HostLedger.Reason.locate), (.motion, .locate, .motion),
        (.backstop, .longest, .longest), (.button, .locate, .other), (.alarm, nil, .other),
    ])
    func `a boot is charged to whose deadline it was, or to what woke the board before`(
        cause: WakeCause, planned: HostSleepPlan.Cause?, reason: HostLedger.Reason
    ) {
        #expect(HostLedger.Reason(cause, planned: planned) == reason)
    }

    @Test(arguments: [
        (HostLedger.Reason.motion, ["tracker", "alarm"]), (.locate, []), (.longest, ["tracker"]),
        (.heartbeat, (0..<70).map { "\($0)" }),
    ])
    func `SLEEP-14: a stop and a boot are shared by the clients for whose sake the board woke`(
        reason: HostLedger.Reason, asking: [String]
    ) {
        let ledger = ledger(after: 1038, for: reason, asking: asking)
        let payers = reason == .longest || asking.isEmpty ? ["sextantd"] : asking
        #expect(ledger.clients.map(\.name) == payers.prefix(64) + (payers.count > 64 ? ["others"] : []))
        #expect(ledger.clients.prefix(64).allSatisfy { abs($0.joules - 24.7 / Double(payers.count)) < 1e-9 })
        #expect(abs(ledger.clients.reduce(0) { $0 + $1.joules } - 24.7) < 1e-9)
    }

    @Test func `what is stored is read again, and refused where it is cut or of another version`() {
        let ledger = ledger(after: nil, for: .motion)
        let bytes = ledger.encode()
        #expect(HostLedger.decode(bytes.span) == ledger)
        #expect(CRC32.of(bytes.span) == 0x0149_78B2, "the stored form has changed")
        // The first version knew no clients.
        let first = [1] + bytes.dropFirst().dropLast(1 + 2 + 7 + 8 + 2 + 5 + 8)
        #expect(HostLedger.decode(first.span)?.wakes(.motion) == ledger.wakes(.motion))
        for damaged in bytes.indices.map({ Array(bytes[..<$0]) }) + [[3] + bytes.dropFirst()] {
            #expect(HostLedger.decode(damaged.span) == nil)
        }
    }
}
