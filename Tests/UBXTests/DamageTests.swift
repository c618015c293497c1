import GNSS
import SextantUnits
import Testing
import UBX

@Suite("Damage")
struct DamageTests {
    static var messages: [any UBXMessage] {
        [
            NavPVT(), NavPOSECEF(), NavPOSLLH(), NavSTATUS(), NavDOP(), NavSOL(), NavVELECEF(), NavVELNED(),
            NavHPPOSLLH(), NavTIMEGPS(), NavTIMEUTC(), NavTIMELS(), NavEOE(timeOfWeekMilliseconds: 1),
            HnrPVT(), MonVER(softwareVersion: "1", hardwareVersion: "2", extensions: ["3"]), MonRXR(isAwake: true),
            AckAck(acknowledged: .cfgMSG), AckNak(refused: .cfgMSG), MgaACK(), UpdSOS.restoration(.restored),
            MgaINITimeUTC(utc: UTCInstant(nanoseconds: 0), accuracyNanoseconds: 1, leapSeconds: nil), MgaINIPosLLH(),
            CfgPRT(uart1Baud: 9600, inputProtocols: 1, outputProtocols: 1), CfgNAV5(model: .sea), CfgPM2(),
            CfgRST(clearedSections: 1, mode: .software), CfgRXM(reserved: 8, lowPowerMode: 1),
            CfgRATE(measurementPeriodMilliseconds: 100, navigationRatio: 1, timeReference: 0),
            CfgMSG(subject: .navPVT, rate: .thisPort(1)),
            CfgCFG(clearMask: 1, saveMask: 2, loadMask: 3, devices: nil),
            RxmPMREQ(durationMilliseconds: 1, isBackup: true, form: .short),
        ]
    }

    static var frames: [[UInt8]] {
        var sky: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: 1, satellites: [Satellite(id: SatelliteID(.gps, 1))].span, into: &sky)
        var items: [UInt8] = []
        CfgVALSET.encode(layers: .ram, items: [UBXConfigurationItem(key: .uart1Baud, value: 9600)].span, into: &items)
        return messages.map(\.frame) + [sky, items]
    }

    @Test(arguments: frames)
    func `a frame with one damaged bit anywhere is refused`(frame: [UInt8]) {
        let quiet = [UInt8](repeating: 0, count: UBXFraming.maximumPayload)
        for index in frame.indices {
            for bit in 0..<8 {
                var damaged = frame
                damaged[index] ^= 1 << bit
                if case .frame = UBXFraming.match((damaged + quiet).span) { Issue.record("byte \(index), bit \(bit)") }
            }
        }
    }

    @Test func `a payload of any length and content never traps a decoder`() {
        let messages = Self.messages
        var state: UInt64 = 42
        var read = 0
        for round in 0..<5000 {
            var payload: [UInt8] = []
            for _ in 0..<(round % 100) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                payload.append(UInt8(truncatingIfNeeded: state >> 56) & (round % 3 == 0 ? 0x03 : 0xFF))
            }
            for message in messages where (try? type(of: message).init(bytes: payload)) != nil { read += 1 }
            readGroups(payload)
        }
        // Some payloads are of a message's length, and most are not.
        #expect(read > 100 && read < 5000 * messages.count / 2)
    }

    private func readGroups(_ payload: [UInt8]) {
        if let sky = try? NavSAT(bytes: payload) {
            for index in 0..<sky.count { _ = sky.satellite(at: index, in: payload) }
        }
        if let sky = try? NavSVINFO(bytes: payload) {
            for index in 0..<sky.count { _ = sky.satellite(at: index, in: payload) }
        }
        if let items = try? CfgVALSET(payload: payload.span) {
            for index in 0..<items.count { _ = items.item(at: index, in: payload.span) }
        }
        if let items = try? CfgVALGET(payload: payload.span) {
            for index in 0..<items.count { _ = items.item(at: index, in: payload.span) }
        }
        _ = try? MgaDBD(payload: payload.span)
    }
}
