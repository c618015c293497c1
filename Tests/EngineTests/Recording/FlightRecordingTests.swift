import Beacons
import ClientProtocol
import Engine
import Magnetism
import Monitors
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing
import TimeService

@testable import Access

@Suite("Flight recording")
struct FlightRecordingTests {
    private static let records: [Input] = [
        .started(
            EngineConfiguration(
                device: "/dev/serial0", fixedBaud: nil, lastBaud: 38_400, now: UTCInstant(nanoseconds: 1_790_000_000))),
        .started(
            EngineConfiguration(
                device: "", fixedBaud: 9600, lastBaud: nil, now: UTCInstant(nanoseconds: -1),
                power: PowerConfiguration(
                    model: .neoM8N, draw: ReceiverModel.neoM8N.powerDraw, baud: 38_400, hasPersistentBackup: true,
                    motionSensorDraw: 0.04, hostIdleMilliwatts: 600, hostWakeMillijoules: 0.6, batteryWattHours: 37,
                    learned: [9, 8, 7]))),
        .started(
            EngineConfiguration(
                device: "x", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 0),
                power: PowerConfiguration(
                    model: .neoM8N, draw: ReceiverModel.neoM8N.powerDraw, startTimes: measured, baud: nil,
                    hasPersistentBackup: true, motionSensorDraw: nil, hostIdleMilliwatts: 1, hostWakeMillijoules: 0,
                    batteryWattHours: nil, longestUnwatchedRest: 60, learned: [1, 2]))),
        .started(
            EngineConfiguration(
                device: "x", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 0),
                power: PowerConfiguration(
                    model: .l76K, draw: ReceiverModel.l76K.powerDraw, baud: nil, hasPersistentBackup: false,
                    motionSensorDraw: nil, hostIdleMilliwatts: 600, hostWakeMillijoules: 0, batteryWattHours: nil,
                    learned: nil))),
        .linesOpened([], problem: "powerEnable: held by another"), .linesOpened([.wake, .powerEnable], problem: nil),
        .deviceOpened(.uart, time: nil), .deviceOpened(.usb, time: nil),
        .deviceOpened(.terminal, time: UTCInstant(nanoseconds: -5)),
        .bytes([]), .bytes([0x24, 0x00, 0xFF]), .clientConnected(ClientID(rawValue: 1), .gpsd),
        .clientConnected(
            ClientID(rawValue: 2), .gpsd, PeerIdentity(userID: 5, groups: [1, 2], unit: "a.service"),
            others: [PeerIdentity(userID: 5, executable: "/x"), PeerIdentity(userID: 5, command: "y")]),

        .clientConnected(ClientID(rawValue: 2), .local, PeerIdentity(userID: 1000)), .motion(true), .motion(false),
        .lineChanged(.shows(hasRisen: true, isActive: false)), .lineChanged(.shows(hasRisen: false, isActive: true)),
        .lineChanged(.lost), .motionAnswered(problem: nil), .motionAnswered(problem: "no device answers"),
        .deferredFound([1, 3, 2]), .decisionsLost, .storeTrouble(nil), .storeTrouble("the card is full"),
        .clockTrusted(UTCInstant(nanoseconds: 1_790_000_000_000_000_001)),
        .figures(
            ProcessFigures(
                startedAt: UTCInstant(nanoseconds: -5), residentBytes: 8_388_608, longestTurn: .max,
                clientsDropped: .max, storeErrors: 3)),
        .timeServed(TimeConfiguration(serialDelay: 100_000_000, earliest: UTCInstant(nanoseconds: -7))),
        .clockRead(
            ClockReading(
                wall: UTCInstant(nanoseconds: 1_790_000_000_000_000_001), instant: MonotonicInstant(nanoseconds: 3),
                isSynchronized: true)),
        .timeServed(
            TimeConfiguration(
                serialDelay: 1, earliest: UTCInstant(nanoseconds: 7), hasPulses: true,
                demand: TimeDemand(interval: 3_600_000_000_000, length: 30_000_000_000))),
        .clockRead(
            ClockReading(
                wall: UTCInstant(nanoseconds: 5), instant: MonotonicInstant(nanoseconds: 3), isSynchronized: false,
                pulse: Pulse(sequence: .max, wall: UTCInstant(nanoseconds: -9)))),
        .timeSink(.forbidden, of: .messages), .timeSink(.takes, of: .pulse),
        .clientLineUnkept(ClientID(rawValue: 3), Array("{}".utf8)),
        .clientLine(ClientID(rawValue: 1), .gpsd, Array("?WATCH={}".utf8)),
        .clientLineTooLong(ClientID(rawValue: 0xFFFF_FFFF), .local), .clientGone(ClientID(rawValue: 1)),
        .deviceFailed(.missing, detail: "gone – for good"), .deviceFailed(.refused, detail: ""), .deviceAppeared,
        .timePassed, .started(compassConfiguration),
        .compassFound(CompassChips(magnetometer: "rm3100", busAddress: "/dev/i2c-1 at 0x20")),
        .compassFound(
            CompassChips(
                magnetometer: "lis3mdl", magnetometerMounting: turned, accelerometer: "lis3dh",
                accelerometerMounting: .aligned, busAddress: "i2c-0")),
        .compassAbsent(detail: "nobody at 0x1C – nor at 0x1E"), .compassFailed(detail: "the bus hangs"),
        .compassSampled(CompassSample(instant: MonotonicInstant(nanoseconds: -3), field: SIMD3(1.5, -20, 43))),
        .compassSampled(
            CompassSample(
                instant: MonotonicInstant(nanoseconds: 7), field: SIMD3(0, 0, -0.0), isSaturated: true,
                acceleration: SIMD3(0.1, 0.2, 9.81))),
        // A recording has the rule of each client, whether the policy names the client or not.
        .admission(
            Admission(
                manifests: ClientManifests([bordered, bare]),
                policy: OperatorPolicy(rules: ["bare": unruled, "bordered": unruled]))),
    ]

    private static var unruled: OperatorPolicy.Rule {
        OperatorPolicy.Rule(authorization: nil, accuracy: nil, isFinal: false)
    }

    private static var bare: ClientManifest {
        ClientManifest(name: "bare", selector: ClientSelector(unit: "bare.service"))
    }

    private static var bordered: ClientManifest {
        var manifest = ClientManifest(name: "bordered", selector: ClientSelector(user: 1000))
        var home = BorderRegion(name: "home", shape: .circle(latitude: 47.5, longitude: 8.25, radius: 120))
        home.onEnter = "gate.service"
        home.onDwell = "heat.service"
        home.dwell = 600
        var yard = BorderRegion(name: "yard", shape: triangle)
        yard.onExit = "lock.service"
        yard.topic = "yard/boat"
        manifest.regions = [home, yard]
        manifest.defaultAccuracyReduced = true
        return manifest
    }

    private static var triangle: RegionShape {
        let corners = [(47.0, 8.0), (47.0, 8.5), (47.5, 8.0), (47.0, 8.0)]
        let ring = corners.map { RegionPolygon.Position(latitude: $0.0, longitude: $0.1) }
        return (try? RegionPolygon([ring])).map { .polygon($0) } ?? .circle(latitude: 0, longitude: 0, radius: 1)
    }

    private static let measured = StartTimes(
        boot: 0.5, hot: .init(median: 2, spread: 0.5), warm: .init(median: 25, spread: 0.2),
        cold: .init(median: 29, spread: 0.1), ephemerisFades: 3600, ephemerisGone: 10_800)

    private static var compassConfiguration: EngineConfiguration {
        var configuration = EngineConfiguration(
            device: "y", fixedBaud: nil, lastBaud: nil, now: UTCInstant(nanoseconds: 0))
        configuration.hasCompass = true
        configuration.watchesMotion = true
        configuration.radio.rangingDuty = 0.5
        configuration.board = "møre-hat"
        return configuration
    }

    private static var turned: Mounting { (try? Mounting(x: .backward, y: .down, turn: -12.5)) ?? .aligned }

    private static var recording: [UInt8] {
        var bytes = FlightFormat.head
        for (number, record) in records.enumerated() {
            FlightFormat.append(
                record, at: MonotonicInstant(nanoseconds: Int64(number) * 1_000_000_007), digest: UInt64(number) << 50,
                to: &bytes)
        }
        return bytes
    }

    private static func read(_ bytes: [UInt8]) throws -> (records: [StampedInput], isTruncated: Bool) {
        var reader = try FlightReader(bytes)
        var records: [StampedInput] = []
        while let record = try reader.next() { records.append(record) }
        return (records, reader.isTruncated)
    }

    @Test func `every input is read back as it was written`() throws {
        let (records, isTruncated) = try Self.read(Self.recording)
        #expect(records.map(\.input) == Self.records)
        #expect(records.map(\.instant.nanoseconds) == Self.records.indices.map { Int64($0) * 1_000_000_007 })
        #expect(records.map(\.digest) == Self.records.indices.map { UInt64($0) << 50 })
        #expect(!isTruncated)
    }

    /// Records made by the version before types named their fields once: admissions, clients, a row, the compass
    /// and configurations.
    private static let older = [
        "0a0100000e000000000000000000020000000400626172650c00626172652e736572766963650000ffffffffff"
            + "ffffff0000000000000000e80300000009007768656e496e55736500010800626f7264657265640900752e7365"
            + "72766963650000e8030000ffffffff050073686f77730000020001006101006201006b0100740900772e736572"
            + "7669636503000000f1030300636d6401000000290000000221000400686f6d650000000000c047400000000000"
            + "8020400000000000005e400000000000c082400c00676174652e7365727669636500000c00686561742e736572"
            + "766963650000ff000000ff000202000000010078010079010000000400676f6e650000ff000000000000000000",
        "120000000e0000000000000000010000000000000000",
        "1f0000000e000000000000000000000000000000ff0001000000000000000000000000",
        "4e000000060000000000000000020000000105000000020001000000020000000900612e736572766963650000"
            + "0000050000000000000002002f780000050000000000000000000100790000000000000000",
        "2e0000000600000000000000000200000001050000000000000000000000050000000000000002002f78000000"
            + "0000000000",
        "1b0000000f00000000000000000701006301006e0102030000000000000000",
        "5900000013000000000000000007006c6973336d646c08006261636b776172640400646f776e00000000000029"
            + "c006006c6973336468050072696768740700666f7277617264000000000000000005006932632d300000000000"
            + "000000",
        "4e0000001300000000000000000600726d33313030050072696768740700666f72776172640000000000000000"
            + "0000050072696768740700666f727761726400000000000000000100700000000000000000",
        "32000000160000000000000000fdffffffffffffff00000000000000f83f00000000000034c000000000008045"
            + "400000000000000000",
        "4a0000001600000000000000000700000000000000010000000000000000000000000000000000000000000000"
            + "809a9999999999b93f9a9999999999c93f1f85eb51b89e23400000000000000000",
        "36000000010000000000000000154daa940fbfe91800000000009600000c0000002f6465762f73657269616c30"
            + "ffffffff000000000000000000",
        "82000000010000000000000000ffffffffffffffff802500000000000000000000ffffffff0000000000000058"
            + "400000000000c055400000000000803c40b81e85eb51b8ae3f0ad7a3703d0aa73f7b14ae47e17aa43f00000000"
            + "00c08240333333333333e33f0000000000804240009600001f076e656f2d6d386e0908070000000000000000",
        "4f010000010000000000000000ffffffffffffffff802500000000000000000000e8030000ff090000006dc3b8"
            + "72652d686174320000000100010073080706050403020118171615141312110107000000000000000000f03f00"
            + "00000000000040000000000000084031000000a10000000000c08240000000000018d5400000000000208c4000"
            + "0000000000344000000000000014400000000000002840000000000000f03f0000000000000040000000000000"
            + "0840000000000000104000000000000014400000000000000000000000000000f03f0000000000000000000000"
            + "000000000000000000e3076e656f2d6d386e000000000000e03f0000000000000040000000000000e03f000000"
            + "00000039409a9999999999c93f0000000000003d409a9999999999b93f000000000020ac40000000000018c540"
            + "0000000000004e400000000000001c400000000000000000",
        "a2000000010000000000000000ffffffffffffffff802500000000000000000000e8030000ff090000006dc3b8"
            + "72652d686174320000000100010073080706050403020118171615141312110107000000000000000000f03f00"
            + "00000000000040000000000000084031000000a10000000000c08240000000000018d5400000000000208c4000"
            + "00000000003440000000000000144000000000000028400000000000000000",
    ]

    @Test func `a record of an earlier version is read, and written again byte for byte`() throws {
        for hexadecimal in Self.older {
            let digits = try hexadecimal.map { try #require($0.hexDigitValue) }
            let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
            let records = try Self.read(FlightFormat.head + bytes).records
            let input = try #require(records.first).input
            var written: [UInt8] = []
            FlightFormat.append(input, at: .zero, digest: 0, to: &written)
            #expect(written == bytes)
        }
    }

    @Test func `a number that a microcontroller's Int does not hold is read alike everywhere`() throws {
        var manifest = ClientManifest(name: "a", selector: ClientSelector())
        manifest.maximumRegions = Int(UInt32.max)
        let configuration = EngineConfiguration(
            device: "x", fixedBaud: Int(UInt32.max), lastBaud: 9600, now: UTCInstant(nanoseconds: 0))
        #expect(ClientManifest.decode(manifest.encode().span)?.maximumRegions == Int(Int32.max))
        #expect(EngineConfiguration.decode(configuration.encode().span)?.fixedBaud == Int(Int32.max))
    }

    @Test func `a recording that is cut off in the next file's header reports the cut`() throws {
        for length in 1..<FlightFormat.head.count {
            let (records, isTruncated) = try Self.read(Self.recording + FlightFormat.head[..<length])
            #expect(records.count == Self.records.count && isTruncated)
        }
    }

    @Test func `a recording cut off at any byte gives its whole records and reports the cut`() throws {
        let whole = Self.recording
        var boundaries = Set<Int>()
        var reader = try FlightReader(whole)
        boundaries.insert(reader.offset)
        while try reader.next() != nil { boundaries.insert(reader.offset) }
        for length in FlightFormat.head.count..<whole.count {
            let (records, isTruncated) = try Self.read(Array(whole[..<length]))
            #expect(records.map(\.input) == Array(Self.records.prefix(records.count)))
            #expect(isTruncated == !boundaries.contains(length))
        }
    }

    /// A run that was recorded in two files.
    private static let twoFiles: [UInt8] = {
        var bytes = recording + FlightFormat.head
        FlightFormat.append(.timePassed, at: MonotonicInstant(nanoseconds: 1 << 50), digest: 5, to: &bytes)
        return bytes
    }()

    /// Reads a recording in pieces of one size; returns the offset of its damage too.
    private static func read(_ bytes: [UInt8], inPiecesOf size: Int) throws -> (records: [StampedInput], damage: Int?) {
        var reader = try FlightReader(Array(bytes[..<FlightFormat.head.count]))
        var records: [StampedInput] = []
        do throws(FlightFormatError) {
            for start in stride(from: FlightFormat.head.count, to: bytes.count, by: size) {
                reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
                while let record = try reader.next() { records.append(record) }
            }
        } catch {
            guard case .damaged(let offset) = error else { throw error }
            return (records, offset)
        }
        #expect(!reader.isTruncated && reader.offset == bytes.count)
        return (records, nil)
    }

    @Test func `the files of a recording in pieces of any size give the same records`() throws {
        let whole = try Self.read(Self.twoFiles).records
        #expect(whole.count == Self.records.count + 1)
        for size in 1...Self.twoFiles.count {
            let read = try Self.read(Self.twoFiles, inPiecesOf: size)
            #expect(read.records == whole && read.damage == nil)
        }
    }

    @Test func `damage in a later piece is reported with its offset in the whole recording`() throws {
        for damage in [[0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0], Array("SXFLT04\n".utf8)] {
            for size in 1...(Self.twoFiles.count + damage.count) {
                let read = try Self.read(Self.twoFiles + damage, inPiecesOf: size)
                #expect(read.records.count == Self.records.count + 1 && read.damage == Self.twoFiles.count)
            }
        }
    }

    @Test func `a recording of version 5 is read, its two files too`() throws {
        let head = Array("SXFLT05\n".utf8)
        let start = FlightFormat.head.count
        let second = Self.recording.count
        let earlier = head + Self.twoFiles[start..<second] + head + Self.twoFiles[(second + start)...]
        #expect(try Self.read(earlier, inPiecesOf: 100).records == Self.read(Self.twoFiles, inPiecesOf: 100).records)
        #expect(try Replay(earlier).isOfEarlierVersion && !Replay(Self.twoFiles).isOfEarlierVersion)
    }

    @Test func `a file of another kind is refused`() {
        #expect(throws: FlightFormatError.notARecording) { try FlightReader(Array("$GPGGA,,,".utf8)) }
        #expect(throws: FlightFormatError.notARecording) { try FlightReader([]) }
    }

    @Test func `an impossible record length is reported as damage with its offset`() throws {
        var bytes = FlightFormat.head
        bytes += [0xFF, 0xFF, 0xFF, 0x7F, 1]
        var reader = try FlightReader(bytes)
        do {
            _ = try reader.next()
            Issue.record("damage was read as a record")
        } catch {
            #expect(error == .damaged(offset: 8))
        }
    }

    @Test func `equal outputs have equal digests, and different outputs have different ones`() {
        func digest(_ actions: [Action], _ text: String, wake: Int64?) -> UInt64 {
            var outputs = Turn()
            outputs.text.append(text)
            outputs.actions = actions
            outputs.wake = wake.map { MonotonicInstant(nanoseconds: $0) }
            return OutputDigest(of: outputs).value
        }
        let send = Action.send(ClientID(rawValue: 1), 0..<3)
        #expect(digest([send], "abc", wake: nil) == digest([send], "abcd", wake: nil))
        #expect(digest([send], "abc", wake: nil) != digest([send], "abd", wake: nil))
        #expect(digest([send], "abc", wake: nil) != digest([send], "abc", wake: 0))
        #expect(digest([send], "abc", wake: nil) != digest([send, .port(.setBaud(9600))], "abc", wake: nil))
    }

    @Test func `a notice's digest depends on its kind and facts, not on its words`() {
        func digest(_ notice: Notice) -> UInt64 {
            var outputs = Turn()
            outputs.actions = [.log(notice)]
            return OutputDigest(of: outputs).value
        }
        #expect(digest(.receiverTrouble("a sentence")) == digest(.receiverTrouble("the same in other words")))
        #expect(digest(.tryingRate(9600)) != digest(.rateFound(9600)))
        #expect(digest(.tryingRate(9600)) != digest(.tryingRate(38_400)))
    }
}
