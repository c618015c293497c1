import SextantUnits
import Testing
import UBX

@Suite("Assistance and backup")
struct AssistanceTests {
    @Test func `MGA-ACK says whether the message was accepted, and why not`() throws {
        let message = try MgaACK(bytes: [0, 0, 1, 0x40, 0x10, 0x00, 0x00, 0x80])
        #expect(!message.isAccepted)
        #expect((message.reason, message.acknowledgedID, message.payloadStart) == (.timeUnknown, 0x40, 0x8000_0010))
        try expectRoundTrip(message)
        #expect(try MgaACK(bytes: [1, 0, 9, 0, 0, 0, 0, 0]).reason == nil)
        #expect(try MgaACK(bytes: [1, 0, 0, 0, 0, 0, 0, 0]).isAccepted)
        expectOnlyLengths([8], MgaACK.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .type, value: 2)) {
            try MgaACK(bytes: [2, 0, 0, 0, 0, 0, 0, 0])
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 1)) {
            try MgaACK(bytes: [1, 1, 0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `an MGA-DBD entry is sent back unchanged`() throws {
        let payload = counting(70)
        #expect(try MgaDBD(payload: payload.span).dataByteCount == 58)
        var frame: [UInt8] = []
        MgaDBD.encode(payload: payload.span, into: &frame)
        #expect(UBXFraming.match(frame.span) == .frame(length: 78))
        #expect(Array(frame[6..<76]) == payload)
        #expect(throws: UBXPayloadError.wrongLength(expected: 12, actual: 11)) {
            try MgaDBD(payload: payload.span.extracting(0..<11))
        }
        var poll: [UInt8] = []
        MgaDBD.appendPoll(into: &poll)
        #expect(poll == [0xB5, 0x62, 0x13, 0x80, 0x00, 0x00, 0x93, 0xCC])
    }

    @Test func `UPD-SOS has two commands and two answers`() throws {
        #expect(UpdSOS.createBackup.payload == [0, 0, 0, 0])
        #expect(UpdSOS.clearBackup.payload == [1, 0, 0, 0])
        #expect(try UpdSOS(bytes: [2, 0, 0, 0, 1, 0, 0, 0]) == .backupCreated(true))
        #expect(try UpdSOS(bytes: [3, 0, 0, 0, 2, 0, 0, 0]) == .restoration(.restored))
        let all: [UpdSOS] = [
            .createBackup, .clearBackup, .backupCreated(false), .backupCreated(true), .restoration(.unknown),
            .restoration(.failed), .restoration(.restored), .restoration(.noBackup),
        ]
        for message in all { try expectRoundTrip(message) }
        expectOnlyLengths([4, 8], UpdSOS.self)
        let refusals: [(UBXField, Int64, [UInt8])] = [
            (.cmd, 2, [2, 0, 0, 0]), (.cmd, 1, [1, 0, 0, 0, 0, 0, 0, 0]), (.response, 2, [2, 0, 0, 0, 2, 0, 0, 0]),
            (.response, 4, [3, 0, 0, 0, 4, 0, 0, 0]),
        ]
        for (field, value, payload) in refusals {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: value)) { try UpdSOS(bytes: payload) }
        }
    }

    @Test func `MGA-INI-TIME has the documented layout`() throws {
        let date = try #require(CivilDate(year: 2026, month: 11, day: 20))
        let time: Int64 = (23 * 3600 + 10 * 60 + 28) * 1_000_000_000 + 123_456_789
        let instant = UTCInstant(date: date, timeOfDay: time)
        let message = MgaINITimeUTC(utc: instant, accuracyNanoseconds: 2_500_000_000, leapSeconds: nil)
        #expect(
            message.payload == [
                0x10, 0, 0, 0x80, 0xEA, 0x07, 11, 20, 23, 10, 28, 0, 0x15, 0xCD, 0x5B, 0x07, 2, 0, 0, 0,
                0x00, 0x65, 0xCD, 0x1D,
            ])
        #expect(message.utc == instant)
        try expectRoundTrip(message)
        #expect(MgaINITimeUTC(utc: instant, accuracyNanoseconds: 0, leapSeconds: 18).payload[3] == 18)
        expectOnlyLengths([24], MgaINITimeUTC.self)
        let refusals: [(UBXField, Int, UInt8)] = [
            (.type, 0, 1), (.version, 1, 1), (.month, 6, 13), (.day, 7, 0), (.hour, 8, 24), (.min, 9, 60),
            (.sec, 10, 61),
        ]
        for (field, offset, value) in refusals {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: Int64(value))) {
                try MgaINITimeUTC(bytes: message.payload.putting(value, at: offset))
            }
        }
        for (field, offset) in [(UBXField.ns, 12), (.tAccNs, 20)] {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: 1_000_000_000)) {
                try MgaINITimeUTC(bytes: message.payload.putting(UInt32(1_000_000_000), at: offset))
            }
        }
    }

    @Test func `MGA-INI-POS has the documented layout`() throws {
        let message = MgaINIPosLLH(
            latitudeE7: 481_000_000, longitudeE7: -115_000_000, heightAboveEllipsoidCentimetres: 52_000,
            accuracyCentimetres: 300_000)
        #expect(
            message.payload == [
                0x01, 0, 0, 0, 0x40, 0x7A, 0xAB, 0x1C, 0x40, 0x3D, 0x25, 0xF9, 0x20, 0xCB, 0, 0, 0xE0, 0x93, 0x04, 0,
            ])
        try expectRoundTrip(message)
        expectOnlyLengths([20], MgaINIPosLLH.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .lat, value: -900_000_001)) {
            try MgaINIPosLLH(bytes: message.payload.putting(Int32(-900_000_001), at: 4))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .type, value: 0x10)) {
            try MgaINIPosLLH(bytes: message.payload.putting(UInt8(0x10), at: 0))
        }
    }
}
