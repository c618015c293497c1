import CZlib
import DaemonClient
import Foundation
import SextantJSON
import SextantUnits
import SextantUplink
import Testing

@testable import UplinkService

@Suite("What the uplink writes")
struct UplinkWordsTests {
    @Test func `the drop-in names each name server as systemd takes it`() {
        let text = "# from the router\nnameserver fe80::1%wlan0\nsearch home\nnameserver\t192.0.2.53\nnameserver\n"
        #expect(UplinkService.nameServers(in: text) == ["fe80::1", "192.0.2.53"])
    }

    @Test func `compressed bytes are those of zlib`() throws {
        let text = Array(String(repeating: "{\"latitude\":47.3769}\n", count: 50).utf8)
        let compressed = try #require(Deflate.zlib(text))
        #expect(compressed.count < text.count / 10)
        var (back, count) = ([UInt8](repeating: 0, count: text.count), uLong(text.count))
        #expect(unsafe uncompress(&back, &count, compressed, uLong(compressed.count)) == Z_OK)
        #expect(back == text)
    }

    @Test(arguments: [
        ("tlsv1 alert unknown ca", true, true, " (the broker refuses TLS: look at certificate.pem and key.pem)"),
        ("unexpected eof while reading", true, false, " (is that the broker's port for mqtts?)"),
        ("The connection was lost.", false, false, " (is that the broker's port for mqtt, without TLS?)"),
        ("The connection was lost.", false, true, ""), ("certificate has expired", true, false, ""),
    ])
    func `a failure in libmosquitto's words has a mend beside it`(
        reason: String, usesTLS: Bool, wasAccepted: Bool, mend: String
    ) {
        #expect(BrokerFailure.mend(reason, usesTLS: usesTLS, wasAccepted: wasAccepted) == mend)
    }

    @Test func `status.json says what waits, and how it is in a sentence`() throws {
        let folder = NSTemporaryDirectory() + "uplink-status-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let broker = try #require(BrokerAddress("mqtts://broker.example"))
        var settings = UplinkSettings(broker: broker, uplink: UplinkConfiguration(id: "boat", name: "Boat"))
        settings.user = "anna"
        var file = StatusFile(folder: folder, settings: settings, series: 0xAB)
        var status = UplinkStatus()
        (status.state, status.fixes, status.events, status.newest) = (.waiting, 7, 2, 40)
        status.lastError = "broker.example, port 8883: certificate has expired"
        status.oldest = UTCInstant(iso8601: "2026-05-01T00:00:00Z")
        file.write(status, UplinkCounters(), lost: 0, daemonProblem: nil, queueProblem: nil)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/status.json")))
        guard case .object(let members) = try JSONValue(parsing: bytes) else {
            Issue.record("no object")
            return
        }
        #expect(members["queuedFixes"] == .number(7))
        #expect(members["newest"] == .number(40))
        #expect(members["series"] == .string("000000ab"))
        #expect(members["oldest"] == .string("2026-05-01T00:00:00.000Z"))
        #expect(members["message"] == .string("not connected: broker.example, port 8883: certificate has expired"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/status.json")[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    @Test(arguments: [
        (
            #"{"type":"Feature","id":"quay","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{"radius":50}}"#,
            #"{"request":"monitorRegion","identifier":"quay","latitude":47.25,"longitude":8.5,"radius":50.0}"#
        ),
        (
            #"{"properties":{"identifier":"q"},"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6]]]}}"#,
            #"{"request":"monitorRegion","identifier":"q","polygon":[[[1,2],[3,4],[5,6]]]}"#
        ),
        (#"{"id":"q","geometry":{"type":"Point","coordinates":[8.5,47.25]}}"#, nil),
        (#"{"geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{"radius":5}}"#, nil),
        (#"{"id":"q","geometry":{"type":"LineString","coordinates":[[8.5,47.25]]}}"#, nil),
    ])
    func `a feature of GeoJSON becomes a region, or none`(feature: String, request: String?) throws {
        let value = try JSONValue(parsing: Array(feature.utf8))
        #expect(RegionFeatureRequest.request(value)?.text == request)
    }
}
