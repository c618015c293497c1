import ClientProtocol
import ClientVocabulary
import GNSS
import NMEA0183
import Parts
import PartsTestSupport
import Power
import Receivers
import SextantUnits
import Testing

@testable import Engine

@Suite("Reception and ReceiverPower")
struct ReceptionTests {
    private static let configuration = EngineConfiguration(
        device: "/dev/gnss", fixedBaud: 9600, lastBaud: nil, now: UTCInstant(nanoseconds: 0))

    @Test func `a lost device is logged once, and opened again at its deadline`() throws {
        var reception = Reception(Self.configuration)
        var turn = Turn(at: start)
        reception.opened(.uart, time: nil, &turn)
        var isOpen = reception.view.isOpen
        let rate = reception.view.rate
        #expect(isOpen && rate == 9600)
        var wasOpen = reception.failed(.refused, "no", &turn)
        isOpen = reception.view.isOpen
        #expect(wasOpen && !isOpen)
        wasOpen = reception.failed(.refused, "no", &turn)
        #expect(!wasOpen)
        let said = turn.actions.count { $0 == .log(.deviceFailed(detail: "no")) }
        #expect(said == 1)
        turn.begin(at: start)
        let known = reception.deadline
        let deadline = try #require(known)
        turn.begin(at: deadline)
        reception.advance(&turn)
        #expect(turn.actions == [.openDevice(baud: 9600)])
    }

    @Test func `positions in another datum than WGS 84 are said to be withheld, in status and once in the log`() {
        var harness = Harness()
        let asker = ClientID(rawValue: 1)
        harness.give(.clientConnected(asker, .local))
        var logged: [Notice] = []
        func hear(_ seconds: ClosedRange<Int>, isForeign: (Int) -> Bool, _ harness: inout Harness) {
            for second in seconds {
                var bytes: [UInt8] = []
                NMEAEncoder.append("GPDTM,\(isForeign(second) ? "999" : "W84"),,0,N,0,E,0,W84", to: &bytes)
                harness.give(bytes: bytes + Harness.epoch(second), at: Double(second))
                for case .log(let notice) in harness.deeds { logged.append(notice) }
            }
        }
        func detail(_ harness: inout Harness) -> Bool {
            harness.give(ClientRequest(.status), from: asker)
            return harness.sent(to: 1).contains(#""detail":"its positions are in another datum than WGS 84, "#)
        }
        hear(0...9, isForeign: { _ in false }, &harness)
        let before = detail(&harness)
        #expect(!before)
        logged = []
        // A receiver that names now one datum, now the other, has one trouble that lasts.
        hear(10...99, isForeign: { $0 % 20 < 10 }, &harness)
        let meanwhile = detail(&harness)
        #expect(meanwhile && logged.count == 1)
        if case .foreignDatum("/dev/gnss", _)? = logged.first {} else { Issue.record("the log has \(logged)") }
        logged = []
        hear(100...170, isForeign: { _ in false }, &harness)
        let after = detail(&harness)
        #expect(!after && logged == [.datumIsOurs(path: "/dev/gnss")])
    }

    @Test func `who may not know when the receiver runs is not told of its datum`() {
        var status = DaemonStatus()
        (status.state, status.detail) = (.receiving, "its positions are in another datum")
        #expect(status.withoutMovement.detail == nil)
        (status.state, status.detail) = (.absent, "there is none")
        #expect(status.withoutMovement.detail == "there is none")
    }

    @Test func `the demand on the receiver is the strongest of all requests`() {
        var power = ReceiverPower(Self.configuration)
        power.need(
            [AccuracyRequest(client: 1, .visits), AccuracyRequest(client: 2, .everyEpoch)], monitoringFor: nil,
            gpsd: [2], forTime: false)
        #expect(power.view.demand.keepsOn && power.view.demand.clients == [1, 2])
        power.need([], monitoringFor: nil, gpsd: [], forTime: false)
        #expect(power.view.demand == Demand.none)
        // A receiver that is only listened to is never at rest, and every fix of it is told.
        let isResting = power.view.isResting
        #expect(!isResting)
        var turn = Turn(at: start)
        let isTold = power.found(
            Fix(), strongestSignal: nil, PositionDoubt(jumps: 0, excess: nil), &turn)
        #expect(isTold)
        #expect(power.view.outageReason(isReceiving: true) == .noSky)
    }
}
