import ClientProtocol
import GPSDProtocol
import NMEA0183
import Parts
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Engine

@Suite("Engine")
struct EngineTests {
    @Test func `the Engine opens its device at the start, at the first rate`() {
        let harness = Harness()
        #expect(harness.wake == nil)
        var fresh = Harness()
        fresh.give(.started(fresh.engine.configuration))
        #expect(fresh.deeds == [.openDevice(baud: 9600)])
    }

    @Test func `a client is greeted, and a watcher gets one line per epoch`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        #expect(harness.sent(to: 1).hasPrefix("{\"event\":\"hello\",\"protocol\":1,"))
        harness.give(ClientRequest(.watch(satellites: false), id: "a"), from: ClientID(rawValue: 1))
        #expect(harness.sent(to: 1) == "{\"event\":\"watching\",\"id\":\"a\",\"enabled\":true}\n")
        harness.warmUp()
        harness.give(bytes: Harness.epoch(4), at: 4)
        let lines = harness.sent(to: 1).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\"time\":\"2026-11-20T12:00:04.000Z\"") == true)
        #expect(lines.first?.contains("\"fixType\":\"threeD\"") == true)
    }

    @Test func `an epoch is delivered with its last byte, not with the next epoch's first`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.watch(satellites: false)), from: ClientID(rawValue: 1))
        harness.warmUp()
        let bytes = Harness.epoch(4)
        // The line end belongs to nobody: the checksum's last digit completes the sentence.
        harness.give(bytes: Array(bytes.dropLast(3)), at: 4)
        #expect(harness.sent(to: 1) == "")
        harness.give(bytes: Array(bytes.suffix(3)), at: 4.001)
        #expect(harness.sent(to: 1).contains("12:00:04.000Z"))
    }

    @Test func `until the order of sentences is learned, a silence closes the epoch`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.watch(satellites: false)), from: ClientID(rawValue: 1))
        harness.give(bytes: Harness.epoch(0), at: 1)
        #expect(harness.sent(to: 1) == "")
        #expect(harness.wake == 1_040_000_000)
        harness.give(.timePassed, at: 1.04)
        #expect(harness.sent(to: 1).contains("12:00:00.000Z"))
    }

    @Test func `a request for one position is answered once`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.warmUp()
        harness.give(ClientRequest(.locate(timeoutSeconds: 5), id: "x"), from: ClientID(rawValue: 1))
        harness.give(bytes: Harness.epoch(4, valid: false), at: 4)
        #expect(harness.sent(to: 1) == "")
        harness.give(bytes: Harness.epoch(5), at: 5)
        #expect(harness.sent(to: 1).hasPrefix("{\"event\":\"location\",\"id\":\"x\","))
        harness.give(bytes: Harness.epoch(6), at: 6)
        #expect(harness.sent(to: 1) == "")
    }

    @Test func `a request for a position without a fix gets an error at its deadline`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local), at: 10)
        harness.give(ClientRequest(.locate(timeoutSeconds: 2)), from: ClientID(rawValue: 1), at: 10)
        #expect(harness.wake == 12_000_000_000)
        harness.give(.timePassed, at: 12)
        #expect(harness.sent(to: 1).contains("\"code\":\"timeout\""))
        #expect(harness.wake == nil)
    }

    @Test func `one client can have at most sixteen open requests for a position`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        let request = ClientRequest(.locate(timeoutSeconds: 5))
        for _ in 0..<16 {
            harness.give(request, from: ClientID(rawValue: 1))
            #expect(harness.sent(to: 1) == "")
        }
        harness.give(request, from: ClientID(rawValue: 1))
        #expect(harness.sent(to: 1).contains("tooMany"))
    }

    @Test func `an idle Engine sets no timer`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.watch(satellites: true)), from: ClientID(rawValue: 1))
        #expect(harness.wake == nil)
    }

    @Test func `a receiver that falls silent is logged once, and its return once`() {
        var harness = Harness()
        harness.warmUp()
        #expect(harness.wake == 8_000_000_000)
        harness.give(.timePassed, at: 8)
        #expect(harness.deeds == [.log(.silent(path: "/dev/gnss", seconds: 5))])
        #expect(harness.wake == nil)
        harness.give(bytes: Harness.epoch(30), at: 30)
        #expect(harness.deeds.contains(.log(.receiving(path: "/dev/gnss"))))
        harness.give(bytes: Harness.epoch(31), at: 31)
        #expect(!harness.deeds.contains(.log(.receiving(path: "/dev/gnss"))))
    }

    @Test func `a lost device is logged once, however often it fails to return`() {
        var harness = Harness()
        harness.give(.deviceFailed(.refused, detail: "busy"), at: 1)
        #expect(harness.deeds == [.log(.deviceFailed(detail: "busy"))])
        harness.give(.timePassed, at: 2)
        #expect(harness.deeds == [.openDevice(baud: 9600)])
        harness.give(.deviceFailed(.refused, detail: "busy"), at: 2)
        #expect(harness.deeds == [])
        #expect(harness.wake == 4_000_000_000)
    }

    @Test func `the receiver's rate is found, reported and kept`() {
        var harness = Harness()
        let noise = [UInt8](repeating: 0xF8, count: 50)
        harness.give(bytes: noise, at: 0)
        harness.give(bytes: noise, at: 1)
        harness.give(bytes: noise, at: 3)
        #expect(harness.deeds == [.log(.tryingRate(38_400)), .port(.setBaud(38_400))])
        harness.give(bytes: Harness.epoch(4), at: 4)
        #expect(harness.deeds.contains(.remember(baud: 38_400)))
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.status), from: ClientID(rawValue: 1))
        #expect(harness.sent(to: 1).contains("\"state\":\"receiving\",\"baud\":38400"))
    }

    @Test func `a device lost while its rate was searched for is opened at the rate that status gives`() {
        var harness = Harness()
        let noise = [UInt8](repeating: 0xF8, count: 50)
        for second in [0.0, 1, 3] { harness.give(bytes: noise, at: second) }
        #expect(harness.deeds == [.log(.tryingRate(38_400)), .port(.setBaud(38_400))])
        harness.give(.deviceFailed(.missing, detail: "gone"), at: 4)
        harness.give(.deviceAppeared, at: 5)
        #expect(harness.deeds == [.openDevice(baud: 9600)])
        harness.give(.deviceOpened(.uart, time: nil), at: 5)
        #expect(harness.deeds.contains(.log(.deviceOpened(path: "/dev/gnss", baud: 9600))))
        harness.give(bytes: Harness.epoch(6), at: 6)
        #expect(harness.deeds.contains(.remember(baud: 9600)))
    }

    @Test func `without the board's draws, energy is unavailable and says why`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.energy, id: "e"), from: ClientID(rawValue: 1))
        #expect(harness.sent(to: 1).contains("\"event\":\"error\",\"id\":\"e\",\"code\":\"unavailable\""))
    }

    @Test func `a sky view of the next solution sets one short timer, not one after another`() {
        var harness = Harness()
        var sky: [UInt8] = []
        NMEAEncoder.append("GPGSV,1,1,02,05,42,100,30,09,10,200,25", to: &sky)
        harness.give(bytes: sky, at: 1)
        #expect(harness.wake == 1_040_000_000)
        harness.give(.timePassed, at: 1.04)
        #expect(harness.wake == 6_000_000_000, "when it is silent; never a time that has passed")
    }

    @Test func `a sentence cut off by a silence does not swallow the next burst`() {
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local))
        harness.give(ClientRequest(.watch(satellites: false)), from: ClientID(rawValue: 1))
        harness.warmUp()
        // A UBX head that claims 8000 bytes would wait for them for ever.
        harness.give(bytes: [0xB5, 0x62, 0x01, 0x07, 0x40, 0x1F], at: 3.5)
        harness.give(bytes: Harness.epoch(4), at: 4)
        #expect(harness.sent(to: 1).contains("12:00:04.000Z"))
    }
}

@Suite("Engine and gpsd clients")
struct EngineGPSDTests {
    private static let client = ClientID(rawValue: 7)

    private func watching(_ policy: GPSDPolicy) -> Harness {
        var harness = Harness()
        harness.give(.clientConnected(EngineGPSDTests.client, .gpsd))
        harness.give(gpsd: .success(.watch(policy)), from: EngineGPSDTests.client)
        return harness
    }

    @Test func `a gpsd client is greeted with VERSION, and WATCH is answered with devices and the policy`() {
        var harness = Harness()
        harness.give(.clientConnected(EngineGPSDTests.client, .gpsd))
        #expect(harness.sent(to: 7).hasPrefix("{\"class\":\"VERSION\","))
        var policy = GPSDPolicy()
        policy.raw = 2
        policy.pps = true
        harness.give(gpsd: .success(.watch(policy)), from: EngineGPSDTests.client)
        let lines = harness.sent(to: 7).split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/gnss\""))
        #expect(lines[1].contains("\"enable\":true,\"json\":false,\"nmea\":false,\"raw\":2"))
    }

    @Test func `a watcher gets TPV and SKY, and a client that does not watch gets nothing`() {
        var policy = GPSDPolicy()
        policy.json = true
        var harness = watching(policy)
        harness.give(.clientConnected(ClientID(rawValue: 8), .gpsd))
        harness.warmUp()
        harness.give(bytes: Harness.epoch(4), at: 4)
        #expect(harness.sent(to: 7).contains("\"class\":\"TPV\""))
        #expect(harness.sent(to: 7).contains("\"class\":\"SKY\""))
        #expect(harness.sent(to: 8) == "")
    }

    @Test func `disabling a watch stops all reports`() {
        var policy = GPSDPolicy()
        policy.json = true
        var harness = watching(policy)
        policy = GPSDPolicy()
        policy.enable = false
        harness.give(gpsd: .success(.watch(policy)), from: EngineGPSDTests.client)
        harness.warmUp()
        harness.give(bytes: Harness.epoch(4), at: 4)
        #expect(harness.sent(to: 7) == "")
    }

    @Test func `nmea mode passes the receiver's own sentences, ended as gpsd ends them`() {
        var policy = GPSDPolicy()
        policy.nmea = true
        var harness = watching(policy)
        harness.warmUp()
        harness.give(bytes: [0xFF, 0xFE] + Harness.epoch(4), at: 4)
        #expect(harness.sent(to: 7) == String(decoding: Harness.epoch(4), as: UTF8.self))
    }

    @Test(arguments: [1, 2])
    func `raw mode passes frames, in hexadecimal or as received`(raw: Int) {
        var policy = GPSDPolicy()
        policy.raw = raw
        var harness = watching(policy)
        let frame: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x08, 0x16, 0x3F]
        harness.give(bytes: frame, at: 1)
        if raw == 1 {
            #expect(harness.sent(to: 7) == "b5620501020006081 63f\r\n".filter { $0 != " " })
        } else {
            var bytes: [UInt8] = []
            for case .send(_, let range) in harness.outputs.actions {
                harness.outputs.text.withBytes(range) { lent in bytes += lent.indices.map { lent[$0] } }
            }
            #expect(bytes == frame)
        }
    }

    @Test func `an unknown request gets an error, and the session goes on`() {
        var policy = GPSDPolicy()
        policy.json = true
        var harness = watching(policy)
        harness.give(gpsd: .failure(.unrecognized("?FOO")), from: EngineGPSDTests.client)
        #expect(harness.sent(to: 7) == "{\"class\":\"ERROR\",\"message\":\"Unrecognized request '?FOO'\"}\r\n")
        harness.warmUp()
        harness.give(bytes: Harness.epoch(4), at: 4)
        #expect(harness.sent(to: 7).contains("TPV"))
    }

    @Test func `POLL answers with the last epoch`() {
        var policy = GPSDPolicy()
        policy.json = true
        var harness = watching(policy)
        harness.warmUp()
        harness.give(gpsd: .success(.poll), from: EngineGPSDTests.client)
        let text = harness.sent(to: 7)
        #expect(text.hasPrefix("{\"class\":\"POLL\",\"time\":\"2026-11-20T12:00:03.000Z\",\"active\":1,\"tpv\":[{"))
        #expect(text.contains("\"sky\":[{\"class\":\"SKY\""))
        #expect(text.hasSuffix("]}\r\n"))
    }

    @Test func `POLL answers with the time of an epoch that no client was sent`() {
        var harness = Harness()
        harness.warmUp()
        harness.give(.clientConnected(EngineGPSDTests.client, .gpsd))
        harness.give(gpsd: .success(.poll), from: EngineGPSDTests.client)
        // The time of the answer, of its TPV and of its SKY.
        let text = harness.sent(to: 7)
        #expect(text.split(separator: "\"time\":\"2026-11-20T12:00:03.000Z\"").count == 4)
        #expect(text.contains("\"eph\":"))
    }

    @Test func `the device's loss and return are reported to watchers`() {
        var policy = GPSDPolicy()
        policy.json = true
        var harness = watching(policy)
        harness.give(.deviceFailed(.missing, detail: "gone"), at: 5)
        #expect(harness.sent(to: 7).contains("\"activated\":0"))
        harness.give(.deviceAppeared, at: 6)
        #expect(harness.deeds == [.openDevice(baud: 9600)])
        harness.give(.deviceOpened(.uart, time: nil), at: 6)
        #expect(harness.sent(to: 7).contains("\"activated\":1"))
    }
}
