import ClientProtocol
import Foundation
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@Suite("Energy object")
struct EnergyObjectTests {
    private func ledger(battery: Double?) throws -> EnergyLedger {
        let draw = PowerDraw(acquiring: 96, tracking: 87, cyclic: nil, softwareSleep: 0.06, hardwareSleep: 0.045)
        let model = try EnergyModel(
            receiver: draw, sensors: [1.5], hostIdle: 600, hostWake: 25, batteryWattHours: battery)
        return EnergyLedger(model, at: .zero)
    }

    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    private func line(_ ledger: EnergyLedger, id: String? = nil) -> [UInt8] {
        var text = TextBuffer(capacity: 1)
        ClientEvent.appendEnergy(ledger.report, id: id, to: &text)
        return text.bytes
    }

    private func object(_ line: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    @Test func `every known figure is written, in the documented units`() throws {
        var ledger = try ledger(battery: 10)
        ledger.join(3, label: "tracker \"one\"")
        ledger.sensor(0, isOn: true, at: at(0))
        ledger.enter(.tracking, cause: .accuracyRequest, clients: [3], at: at(0))
        ledger.hostWoke(.gpsd, clients: [], at: at(10))
        ledger.advance(to: at(3600))
        let line = line(ledger, id: "e")
        #expect(line.last == 0x0A && line.count(where: { $0 == 0x0A }) == 1)
        let object = try object(line)
        #expect(object["event"] as? String == "energy" && object["id"] as? String == "e")
        for key in ["lastHour", "lastDay", "sinceBoot"] {
            let window = try #require(object[key] as? [String: Any])
            #expect(window["hours"] as? Double == 1 && window["receiverJoules"] as? Double == 313.2)
            #expect(window["sensorJoules"] as? Double == 5.4 && window["hostWakeJoules"] as? Double == 0.025)
            #expect(window["hostIdleJoules"] as? Double == 2160)
            #expect(window["deviceMilliwatts"] as? Double == 688.507)
            #expect(window["receiverShare"] as? Double == 0.12636)
            // 14.524… hours.
            #expect(window["batteryHours"] as? Double == 14.5)
            #expect(window["byState"] as? [String: Double] == ["tracking": 313.2])
            #expect(window["byCause"] as? [String: Double] == ["accuracyRequest": 318.6, "gpsd": 0.025])
            let clients = try #require(window["byClient"] as? [[String: Any]])
            #expect(clients.map { $0["client"] as? String } == ["tracker \"one\"", "sextantd"])
            #expect(clients.map { $0["joules"] as? Double } == [318.6, 0.025])
            #expect(clients.map { $0["number"] as? Int } == [3, nil])
            #expect(clients.map { $0["connected"] as? Bool } == [true, true])
        }
    }

    @Test func `a row of the history has the figures of its minute, and the end says how many there are`() throws {
        var ledger = try ledger(battery: nil)
        ledger.join(3, label: "tracker")
        ledger.enter(.tracking, cause: .accuracyRequest, clients: [3], at: at(0))
        ledger.advance(to: at(90))
        let rows = ledger.history(of: .hour)
        let row = try #require(rows.first)
        let from = UTCInstant(nanoseconds: 1_795_176_000_000_000_000)
        let line = text { ClientEvent.appendEnergyRow(row.spent, from: from, secondsAgo: 90, id: "h", to: &$0) }
        #expect(
            line == """
                {"event":"energyRow","id":"h","from":"2026-11-20T12:00:00.000Z","beganSecondsAgo":90.000,\
                "seconds":60.000,"receiverJoules":5.220000000,"sensorJoules":0.000000000,\
                "hostWakeJoules":0.000000000,"hostIdleJoules":36.000000000,"byState":{"tracking":5.220000000},\
                "byCause":{"accuracyRequest":5.220000000},"byClient":[{"client":"tracker","number":3,\
                "connected":true,"joules":5.220000000}]}

                """)
        let end = text { ClientEvent.appendEnergyHistory(.hour, count: rows.count, id: nil, to: &$0) }
        #expect(end == "{\"event\":\"energyHistory\",\"window\":\"hour\",\"count\":2}\n")
    }

    @Test func `unknown figures are left out`() throws {
        let object = try object(line(try ledger(battery: nil)))
        #expect(Set(object.keys) == ["event", "lastHour", "lastDay", "sinceBoot"])
        let window = try #require(object["lastDay"] as? [String: Any])
        #expect(
            Set(window.keys) == [
                "hours", "receiverJoules", "sensorJoules", "hostWakeJoules", "hostIdleJoules", "byState", "byCause",
                "byClient",
            ])
        #expect((window["byClient"] as? [Any])?.isEmpty == true)
    }

    @Test func `the remaining battery life is rounded down`() throws {
        var ledger = try ledger(battery: 1.199_99)
        ledger.advance(to: at(3600))
        // 1.99998… hours at 600 mW.
        let window = try #require(try object(line(ledger))["lastHour"] as? [String: Any])
        #expect(window["batteryHours"] as? Double == 1.9)
    }
}
