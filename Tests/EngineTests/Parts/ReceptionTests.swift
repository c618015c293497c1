import ClientProtocol
import GNSS
import Power
import Receivers
import Sessions
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
        var isOpen = reception.isOpen
        let rate = reception.rate
        #expect(isOpen && rate == 9600)
        var wasOpen = reception.failed(.refused, "no", &turn)
        isOpen = reception.isOpen
        #expect(wasOpen && !isOpen)
        wasOpen = reception.failed(.refused, "no", &turn)
        #expect(!wasOpen)
        let said = turn.actions.count { $0 == .log(.deviceFailed(detail: "no")) }
        #expect(said == 1)
        turn.begin(at: start)
        let known = reception.deadline
        let deadline = try #require(known)
        turn.begin(at: deadline)
        reception.retry(&turn)
        #expect(turn.actions == [.openDevice(baud: 9600)])
    }

    @Test func `the demand on the receiver is the strongest of all requests`() {
        var power = ReceiverPower(Self.configuration)
        power.need([AccuracyRequest(client: 1, .visits), AccuracyRequest(client: 2, .everyEpoch)], gpsd: [2])
        #expect(power.demand.keepsOn && power.demand.clients == [1, 2])
        power.need([], gpsd: [])
        #expect(power.demand == Demand.none)
        // A receiver that is only listened to is never at rest, and every fix of it is told.
        let isResting = power.isResting
        #expect(!isResting)
        var turn = Turn(at: start)
        let isTold = power.take(Fix(), strongestSignal: nil, jumps: 0, excess: nil, &turn)
        #expect(isTold)
        #expect(power.outageReason(isReceiving: true)?.description == OutageReason.noSky.name.description)
    }
}
