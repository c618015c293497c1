import Testing
import UBX

@Suite("Monitoring and acknowledgement")
struct MonitoringTests {
    @Test func `mon-ver gives its texts up to the first nul`() throws {
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

    @Test func `mon-ver reads a text without nul, and cuts one that is too long`() throws {
        let full = [UInt8](repeating: 0x41, count: 40)
        let version = try MonVER(bytes: full)
        #expect(version.softwareVersion == String(repeating: "A", count: 30))
        #expect(version.hardwareVersion == String(repeating: "A", count: 10))
        #expect(version.payload[29] == 0 && version.payload[39] == 0)
        #expect(version.payload.count == 40)
    }

    @Test func `mon-ver of a broken length is refused`() {
        expectOnlyLengths([40, 70, 100], MonVER.self)
    }

    @Test(arguments: [(60, 45), (68, 53)])
    func `mon-hw is where the document has it`(length: Int, indicatorOffset: Int) throws {
        var payload = counting(length)
        payload[20] = 2
        payload[21] = 1
        payload[22] = 0b1110
        let message = try MonHW(payload: payload.span)
        #expect((message.noisePerMillisecond, message.gainControlCount) == (counted(16), counted(18)))
        #expect((message.antennaStatus, message.antennaPower) == (.ok, .on))
        #expect((message.jammingState, message.isSafeBoot, message.isRTCCalibrated) == (.critical, true, false))
        #expect(message.jammingIndicator == UInt8(indicatorOffset))
        for count in 0...80 where count != 60 && count != 68 {
            #expect(throws: UBXPayloadError.wrongLength(expected: 60, actual: count)) {
                try MonHW(payload: [UInt8](repeating: 0, count: count).span)
            }
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .aStatus, value: 5)) {
            try MonHW(payload: payload.putting(UInt8(5), at: 20).span)
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .aPower, value: 3)) {
            try MonHW(payload: payload.putting(UInt8(3), at: 21).span)
        }
    }

    @Test func `mon-rf gives each block of the lent payload`() throws {
        var payload: [UInt8] = [0, 2, 0, 0] + counting(24) + counting(24)
        payload.replaceSubrange(28..<32, with: [1, 0xFE, 4, 0])
        let message = try MonRF(payload: payload.span)
        #expect(message.count == 2)
        let first = message.block(at: 0, in: payload.span)
        #expect((first.id, first.jammingState, first.antennaStatus, first.antennaPower) == (0, .ok, .ok, .unknown))
        #expect((first.noisePerMillisecond, first.gainControlCount) == (counted(12), counted(14)))
        #expect(first.jammingIndicator == 16)
        #expect((first.offsetI, first.magnitudeI, first.offsetQ, first.magnitudeQ) == (17, 18, 19, 20))
        let second = message.block(at: 1, in: payload.span)
        #expect((second.id, second.jammingState) == (1, .warning))
        #expect((second.antennaStatus, second.antennaPower) == (.open, .off))
        #expect(throws: UBXPayloadError.wrongLength(expected: 52, actual: 51)) {
            try MonRF(payload: payload.span.extracting(0..<51))
        }
        #expect(throws: UBXPayloadError.wrongLength(expected: 4, actual: 3)) {
            try MonRF(payload: payload.span.extracting(0..<3))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 1)) {
            try MonRF(payload: payload.putting(UInt8(1), at: 0).span)
        }
    }

    @Test func `mon-rxr says awake or not`() throws {
        #expect(try MonRXR(bytes: [0x01]).isAwake)
        #expect(try !MonRXR(bytes: [0xFE]).isAwake)
        try expectRoundTrip(MonRXR(isAwake: true))
        try expectRoundTrip(MonRXR(isAwake: false))
        expectOnlyLengths([1], MonRXR.self)
    }

    @Test func `an answer names what it answers`() throws {
        #expect(try AckAck(bytes: [0x06, 0x8A]).acknowledged == .cfgVALSET)
        #expect(try AckNak(bytes: [0x06, 0x3B]).refused == .cfgPM2)
        try expectRoundTrip(AckAck(acknowledged: .cfgVALSET))
        try expectRoundTrip(AckNak(refused: .cfgPM2))
        expectOnlyLengths([2], AckAck.self)
        expectOnlyLengths([2], AckNak.self)
    }
}
