import Emulation
import Epochs
import Receivers
import SextantUnits
import Testing
import UBX

@Suite("EmulatedReceiver: commands of u-blox receivers") struct ReceiverCommandTests {
    @Test func `a u-blox 8 obeys configuration messages and acknowledges at the new rate`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 2)
        bench.clear()
        bench.configureM8()
        bench.run(to: 5)
        #expect(bench.frames(.ackAck).map(\.payload) == [[0x06, 0x00], [0x06, 0x01], [0x06, 0x01]])
        #expect(bench.sentences.isEmpty && bench.receiver.baud == 115_200)
        #expect(bench.frames(.navPVT).count == 3 && bench.frames(.navEOE).count == 3)
        // 116 bytes at 115200 baud, 50 ms after the second: NAV-PVT of 100, NAV-EOE of 12.
        let arrivals = bench.frames(.navEOE).map { $0.time - $0.time.rounded(.down) }
        #expect(arrivals.allSatisfy { (0.0595...0.0600).contains($0) })
    }

    @Test func `a host at the wrong baud rate receives garbage and is not understood`() {
        var bench = HostBench(.neoM8N)
        bench.receiver.hostBaud = 115_200
        bench.run(to: 10)
        bench.poll(.monVER)
        bench.run(to: 20)
        #expect(bench.byteCount > 0 && bench.sentences.isEmpty && bench.frames.isEmpty)
        bench.receiver.hostBaud = 9600
        bench.poll(.monVER)
        bench.run(to: 25)
        #expect(!bench.sentences.isEmpty && bench.frames(.monVER).count == 1)
    }

    @Test(arguments: [
        (ReceiverModel.neoM8N, "PROTVER=18.00"), (.maxM10S, "PROTVER=34.10"), (.zedF9P, "PROTVER=27.31"),
        (.neoM9N, "PROTVER=32.01"), (.maxM8Q, "MOD=MAX-M8Q-0"), (.samM10Q, "MOD=SAM-M10Q"),
    ])
    func `reports its model and firmware version`(model: ReceiverModel, version: String) throws {
        var bench = HostBench(model)
        bench.run(to: 2)
        bench.poll(.monVER)
        bench.run(to: 5)
        let payload = try #require(bench.frames(.monVER).first?.payload)
        #expect(try MonVER(payload: payload.span).extensions.contains(version))
    }

    @Test func `a u-blox 6 has no NAV-PVT and gives the same position in NAV-POSLLH`() throws {
        var bench = HostBench(.neo6M) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 2)
        bench.send(CfgPRT(uart1Baud: 38_400, inputProtocols: CfgPRT.ubx, outputProtocols: CfgPRT.ubx))
        for message in [UBXMessageID.navPVT, .navSOL, .navPOSLLH, .navVELNED] {
            bench.send(CfgMSG(subject: message, rate: .thisPort(1)))
        }
        bench.run(to: 100)
        #expect(bench.frames(.ackNak).count == 1 && bench.frames(.navPVT).isEmpty)
        let solutionPayload = try #require(bench.frames(.navSOL).last?.payload)
        let placePayload = try #require(bench.frames(.navPOSLLH).last?.payload)
        let solution = try NavSOL(payload: solutionPayload.span)
        let place = try NavPOSLLH(payload: placePayload.span)
        let found = try #require(
            WGS84.geodetic(
                x: Double(solution.xCentimetres) / 100, y: Double(solution.yCentimetres) / 100,
                z: Double(solution.zCentimetres) / 100))
        #expect(abs(found.latitude - Double(place.latitudeE7) / 1e7) < 3e-7)
        #expect(abs(found.longitude - Double(place.longitudeE7) / 1e7) < 3e-7)
        #expect(abs(found.height - Double(place.heightAboveEllipsoidMillimetres) / 1000) < 0.03)
        // 2027-01-15 is in GPS week 2453.
        #expect(solution.isFixOK && solution.week == 2453)
        #expect(bench.frames(.navVELNED).count == bench.frames(.navSOL).count)
    }

    @Test func `a u-blox 10 refuses legacy configuration messages, unknown keys and the flash layer`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.configureM8()
        bench.set(UBXConfigurationKey(rawValue: 0x20FE_0001), 1, in: .ram)
        bench.set(.uart1NavPVT, 1, in: .flash)
        bench.run(to: 5)
        #expect(bench.frames(.ackNak).map { $0.payload[1] } == [0x00, 0x01, 0x01, 0x8A, 0x8A])
    }

    @Test func `a u-blox 10 reports configuration values by layer`() throws {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.set(.uart1NavPVT, 3, in: .ram)
        var poll: [UInt8] = []
        for layer in [CfgVALGET.Layer.ram, .batteryBackedRAM, .factoryDefault] {
            CfgVALGET.appendPoll(
                layer: layer, position: 0, keys: [UBXConfigurationKey.uart1NavPVT].span, into: &poll)
        }
        bench.send(poll)
        bench.run(to: 5)
        let answers = bench.frames(.cfgVALGET).map(\.payload)
        let values = try answers.map {
            try CfgVALGET(payload: $0.span).value(of: .uart1NavPVT, in: $0.span)
        }
        #expect(values == [3, 0])
        #expect(bench.frames(.ackNak).count == 1)
    }

    @Test func `a reset is not acknowledged and discards unsaved settings`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 2)
        bench.configureM8()
        bench.run(to: 3)
        bench.send(CfgCFG(clearMask: 0, saveMask: 0x1F, loadMask: 0, devices: .batteryBackedRAM))
        bench.send(CfgMSG(subject: .navSAT, rate: .thisPort(1)))
        bench.run(to: 5)
        bench.clear()
        bench.send(CfgRST(clearedSections: CfgRST.coldStart, mode: .software))
        bench.run(to: 8)
        #expect(bench.frames(.ackAck).isEmpty && bench.frames(.navSAT).isEmpty)
        #expect(bench.frames(.navPVT).count == 2)
    }

    @Test func `CFG-RST stops and starts the GNSS`() {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 100)
        #expect(bench.receiver.powerState == .track)
        bench.send(CfgRST(clearedSections: 0, mode: .stopGNSS))
        bench.run(to: 200)
        #expect(bench.receiver.powerState == .acquire && bench.receiver.draw == 29)
        bench.send(CfgRST(clearedSections: 0, mode: .startGNSS))
        #expect(bench.runUntilTracking(limit: 260) != nil)
    }

    @Test func `injected faults make it refuse everything, never answer, or answer garbage`() {
        func answers(_ faults: EmulatedReceiver.Faults) -> HostBench {
            var bench = HostBench(.neoM8N) { $0.faults = faults }
            bench.run(to: 2)
            bench.clear()
            bench.send(CfgMSG(subject: .navPVT, rate: .thisPort(1)))
            bench.poll(.monVER)
            bench.run(to: 5)
            return bench
        }
        // It still says who it is.
        let refused = answers(.refusesAll)
        #expect(refused.frames.count == 2 && refused.frames.first?.payload == [0x06, 0x01])
        #expect(refused.frames(.monVER).count == 1)
        #expect(answers(.neverAnswers).frames.isEmpty)
        let garbled = answers(.answersGarbage)
        #expect(garbled.frames(.ackAck).isEmpty && garbled.counters.skippedBytes > 0)
    }
}

@Suite("EmulatedReceiver: assistance") struct ReceiverAssistanceTests {
    /// A receiver with fresh ephemerides whose database was dumped at 115200 baud.
    private func dumped(_ seed: UInt64) -> (bench: HostBench, entries: [[UInt8]]) {
        var bench = HostBench(.neoM8N, seed: seed) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 1)
        bench.configureM8()
        bench.run(to: 100)
        bench.clear()
        var poll: [UInt8] = []
        MgaDBD.appendPoll(into: &poll)
        bench.send(poll)
        bench.run(to: 110)
        return (bench, bench.frames(.mgaDBD).map(\.payload))
    }

    private func cut(_ bench: inout HostBench, for seconds: Double) {
        bench.set(.powerEnable, false)
        bench.set(.backupSupply, false)
        bench.run(to: bench.now + seconds)
        bench.set(.powerEnable, true)
        bench.run(to: bench.now + 0.4)
        bench.clear()
    }

    private func time(_ bench: HostBench, error: Double, accuracy: Double) -> MgaINITimeUTC {
        let utc = UTCInstant(nanoseconds: Int64((HostBench.start + bench.now + error) * 1e9))
        return MgaINITimeUTC(utc: utc, accuracyNanoseconds: UInt64(accuracy * 1e9), leapSeconds: nil)
    }

    private func frame(_ id: UBXMessageID, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        UBXEncoder.append(id, payload: payload.span, into: &bytes)
        return bytes
    }

    private let place = MgaINIPosLLH(
        latitudeE7: 474_000_000, longitudeE7: 85_000_000, heightAboveEllipsoidCentimetres: 44_700,
        accuracyCentimetres: 10_000)

    @Test func `dumps its navigation database and reports the number of entries`() throws {
        let (bench, entries) = dumped(7)
        #expect((250..<350).contains(entries.count))
        #expect(entries.allSatisfy { (50...90).contains($0.count) })
        let end = try #require(bench.frames(.mgaACK).last?.payload)
        let acknowledgement = try MgaACK(payload: end.span)
        #expect(acknowledgement.acknowledgedID == 0x80 && Int(acknowledgement.payloadStart) == entries.count)
        #expect(bench.frames(.navPVT).count == 10)
    }

    @Test func `the restored database, time and position make a start hot after a power cut`() {
        var (hot, cold) = (0, 0)
        for seed in 0..<10 as Range<UInt64> {
            var (bench, entries) = dumped(seed)
            cut(&bench, for: 600)
            bench.send(time(bench, error: 0.2, accuracy: 1))
            bench.send(place)
            for entry in entries { bench.send(frame(.mgaDBD, entry)) }
            let start = bench.now
            if let fix = bench.runUntilTracking(limit: start + 100), fix - start < 15 { hot += 1 }
            cut(&bench, for: 600)
            let again = bench.now
            if let fix = bench.runUntilTracking(limit: again + 100), fix - again > 15 { cold += 1 }
        }
        #expect(hot >= 9 && cold == 10)
    }

    @Test func `a database entry is refused while the time is unknown, and always when it is another receiver's`()
        throws
    {
        var (bench, entries) = dumped(3)
        cut(&bench, for: 10)
        var expert = [UInt8](repeating: 0, count: 40)
        expert[3] = 0x04
        expert[17] = 1
        bench.send(frame(.cfgNAVX5, expert) + frame(.mgaDBD, entries[0]))
        bench.send(time(bench, error: 0, accuracy: 1))
        bench.send(frame(.mgaDBD, entries[0].map { $0 ^ 1 }) + frame(.mgaDBD, entries[0]))
        bench.run(to: bench.now + 5)
        let reasons = try bench.frames(.mgaACK).map { try MgaACK(payload: $0.payload.span).reason }
        #expect(reasons == [.timeUnknown, .accepted, .notStored, .accepted])
    }

    @Test func `assistance with a wrong time costs half a minute more than no assistance`() {
        func start(error: Double, accuracy: Double) -> Double {
            var bench = HostBench(.neoM8N, seed: 4) { $0.ephemerisAgeAtStart = 60 }
            bench.run(to: 0.5)
            bench.send(time(bench, error: error, accuracy: accuracy))
            return bench.runUntilTracking(limit: 200) ?? 200
        }
        var unaided = HostBench(.neoM8N, seed: 4)
        let cold = unaided.runUntilTracking(limit: 200) ?? 0
        #expect(start(error: 0.5, accuracy: 1) < 20)
        #expect(abs(start(error: 3, accuracy: 1) - cold - 30) < 0.01)
        #expect(start(error: 3, accuracy: 10) < 20)
    }

    @Test func `a power cut in the middle of a dump ends it`() {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 100)
        var poll: [UInt8] = []
        MgaDBD.appendPoll(into: &poll)
        bench.send(poll)
        bench.run(to: 105)
        bench.set(.powerEnable, false)
        bench.clear()
        bench.run(to: 200)
        #expect(bench.byteCount == 0)
        bench.set(.powerEnable, true)
        bench.run(to: 205)
        #expect(bench.frames(.mgaDBD).isEmpty && !bench.sentences.isEmpty)
    }

    @Test func `NMEA sentences appear between the database entries unless NMEA is switched off`() {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 100)
        bench.clear()
        var poll: [UInt8] = []
        MgaDBD.appendPoll(into: &poll)
        bench.send(poll)
        bench.run(to: 110)
        #expect(bench.frames(.mgaDBD).count > 5 && bench.sentences.count > 20)
        #expect(bench.counters.checksumFailures == 0)
    }

    @Test func `the navigation database saved to flash survives a power cut, on models that have flash`() throws {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 100)
        bench.clear()
        bench.send(UpdSOS.createBackup)
        bench.send(CfgRST(clearedSections: 0, mode: .stopGNSS))
        bench.run(to: 101)
        bench.send(UpdSOS.createBackup)
        bench.run(to: 103)
        let saved = try bench.frames(.updSOS).map { try UpdSOS(payload: $0.payload.span) }
        #expect(saved == [.backupCreated(false), .backupCreated(true)])
        cut(&bench, for: 600)
        bench.send(time(bench, error: 0, accuracy: 1))
        bench.poll(.updSOS)
        let start = bench.now
        let fix = bench.runUntilTracking(limit: start + 60)
        #expect(fix.map { $0 - start < 20 } == true)
        bench.run(to: start + 65)
        let restored = try bench.frames(.updSOS).map { try UpdSOS(payload: $0.payload.span) }
        #expect(restored == [.restoration(.restored)])
    }

    @Test func `a u-blox 10 has no flash and does not answer UPD-SOS`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.poll(.updSOS)
        bench.run(to: 4)
        #expect(bench.frames(.updSOS).isEmpty)
    }
}
