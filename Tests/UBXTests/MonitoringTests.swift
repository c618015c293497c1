import Testing
import UBX

@Suite("Monitoring and acknowledgement")
struct MonitoringTests {
    @Test func `MON-VER's texts end at the first NUL`() throws {
        let version = MonVER(
            softwareVersion: "ROM SPG 5.10 (7b202e)", hardwareVersion: "000A0000",
            extensions: ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S", "GPS;GLO;GAL;BDS", "PROTVERSION=1"])
        try expectRoundTrip(version)
        #expect(version.payload.count == 40 + 5 * 30)
        #expect(version.value(of: "PROTVER") == "34.10")
        #expect(version.value(of: "MOD") == "MAX-M10S")
        #expect(version.value(of: "TIM") == nil)
        let old = MonVER(softwareVersion: "2.01", hardwareVersion: "00080000", extensions: ["PROTVER 15.00"])
        #expect(old.value(of: "PROTVER") == "15.00")
    }

    @Test func `a MON-VER text without NUL is read, and one too long is cut`() throws {
        let full = [UInt8](repeating: 0x41, count: 40)
        let version = try MonVER(bytes: full)
        #expect(version.softwareVersion == String(repeating: "A", count: 30))
        #expect(version.hardwareVersion == String(repeating: "A", count: 10))
        #expect(version.payload[29] == 0 && version.payload[39] == 0)
        #expect(version.payload.count == 40)
    }

    @Test func `MON-VER of an invalid length is refused`() {
        expectOnlyLengths([40, 70, 100], MonVER.self)
    }

    @Test func `MON-RXR says whether the receiver is awake`() throws {
        #expect(try MonRXR(bytes: [0x01]).isAwake)
        #expect(try !MonRXR(bytes: [0xFE]).isAwake)
        try expectRoundTrip(MonRXR(isAwake: true))
        try expectRoundTrip(MonRXR(isAwake: false))
        expectOnlyLengths([1], MonRXR.self)
    }

    @Test func `ACK-ACK and ACK-NAK name the message they answer`() throws {
        #expect(try AckAck(bytes: [0x06, 0x8A]).acknowledged == .cfgVALSET)
        #expect(try AckNak(bytes: [0x06, 0x3B]).refused == .cfgPM2)
        try expectRoundTrip(AckAck(acknowledged: .cfgVALSET))
        try expectRoundTrip(AckNak(refused: .cfgPM2))
        expectOnlyLengths([2], AckAck.self)
        expectOnlyLengths([2], AckNak.self)
    }
}
