import Beacons
import ClientProtocol
import Emulation
import Magnetism
import Monitors
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// Recordings come from anywhere: whatever one says, a replay ends with an answer.
@Suite("Spoilt recordings")
struct SpoiltRecordingTests {
    /// A run with every kind of input that a daemon without a managed receiver has.
    private static let run: [Input] = {
        var configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: 9600, now: UTCInstant(nanoseconds: 1_795_176_000_000_000_000)
        )
        configuration.hasCompass = true
        configuration.board = "bench"
        configuration.power = PowerConfiguration(
            model: .neoM8N, draw: ReceiverModel.neoM8N.powerDraw, baud: 9600, hasPersistentBackup: true,
            motionSensorDraw: 0.04, hostIdleMilliwatts: 600, hostWakeMillijoules: 0.6, batteryWattHours: 37,
            learned: nil)
        let lines = [
            #"{"request":"watchLocations","session":1,"accuracy":5,"id":"w"}"#, #"{"request":"status","id":"s"}"#,
            #"{"request":"monitorVisits","enabled":true}"#, #"{"request":"monitorSignificantChange","enabled":true}"#,
            #"{"request":"monitorRegion","identifier":"yard","latitude":47.376889,"longitude":8.541697,"radius":200}"#,
            #"{"request":"locate","timeout":30,"id":"l"}"#, #"{"request":"energy","id":"e"}"#,
            #"{"request":"watchHeading","session":2}"#, #"{"request":"metrics","id":"m"}"#,
            #"{"request":"defer","session":1,"timeout":600}"#,
        ]
        let one = ClientID(rawValue: 1)
        var inputs: [Input] = [
            .started(configuration), .admission(.everyone), .linesOpened([.powerEnable], problem: nil),
            .deviceOpened(.uart, time: UTCInstant(nanoseconds: 1_795_176_000_000_000_000)),
            .storeFound(DurableRow(table: .settings, client: "", name: "servicesEnabled", value: [1])),
            .storeFound(DurableRow(table: .authorization, client: "everyone", name: "record", value: [1, 3, 2, 16])),
            .storeRead, .clientConnected(one, .local, PeerIdentity(userID: 1000)),
            .clientConnected(ClientID(rawValue: 2), .gpsd),
            .clientLine(
                ClientID(rawValue: 2), .gpsd, Array("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true}".utf8)),
            .clockTrusted(UTCInstant(nanoseconds: 1_795_176_000_000_000_000)),
            .compassFound(CompassChips(magnetometer: "rm3100", busAddress: "/dev/i2c-1 at 0x20")), .motion(true),
            .radioOpened,
            .figures(
                ProcessFigures(
                    startedAt: UTCInstant(nanoseconds: 1_795_176_000_000_000_000), residentBytes: 8_388_608,
                    longestTurn: 5, clientsDropped: 0, storeErrors: 0)),
        ]
        inputs += lines.map { .clientLine(one, .local, Array($0.utf8)) }
        for second in 0..<4 {
            inputs.append(.bytes(Harness.epoch(second)))
            inputs.append(.timePassed)
            inputs.append(
                .compassSampled(
                    CompassSample(
                        instant: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000), field: SIMD3(20, 3, 43)))
            )
        }
        return inputs + [.motion(false), .deviceFailed(.missing, detail: "gone"), .clientGone(one), .stopping]
    }()

    private static let extremes: [Int64] = [
        .min, .min + 1, .max, .max - 1, 0, -1, 1, 1 << 62, -(1 << 62), 1 << 31, 1_000_000_000_000_000_000,
    ]
    private static let numbers: [Double] = [
        1e308, -1e308, .nan, .infinity, 1e19, -1e19, .leastNonzeroMagnitude, 181, 90.000001,
    ]

    /// One record, spoilt: another instant, other bytes, or numbers of any size among them.
    private static func spoil(_ bytes: inout [UInt8], from start: Int, _ random: inout SplitMix64) {
        func put(_ value: UInt64, at offset: Int) {
            for place in 0..<8 where offset + place < bytes.count - 8 {
                bytes[offset + place] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))
            }
        }
        let body = start + 13..<bytes.count - 8
        let extreme = UInt64(bitPattern: extremes.randomElement(using: &random) ?? 0)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: put(extreme, at: start + 5)
        case 1: put(extreme, at: body.randomElement(using: &random) ?? start + 5)
        case 2:
            put(
                (numbers.randomElement(using: &random) ?? 0).bitPattern,
                at: body.randomElement(using: &random) ?? start + 5)
        default:
            for _ in 0..<4 {
                if let place = body.randomElement(using: &random) {
                    bytes[place] = .random(in: 0...255, using: &random)
                }
            }
        }
    }

    private static func recording(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = FlightFormat.head
        let share = [3, 10, 40].randomElement(using: &random) ?? 10
        var order = Array(run.indices.dropFirst())
        if Bool.random(using: &random) {
            for _ in 0..<5 {
                order.swapAt(.random(in: order.indices, using: &random), .random(in: order.indices, using: &random))
            }
        }
        for (second, index) in ([0] + order).enumerated() {
            let start = bytes.count
            FlightFormat.append(
                run[index], at: MonotonicInstant(nanoseconds: Int64(second) * 500_000_000), digest: 0, to: &bytes)
            if Int.random(in: 0..<share, using: &random) == 0 { spoil(&bytes, from: start, &random) }
        }
        return bytes
    }

    @Test(arguments: [UInt64(0x5EED)])
    func `two thousand recordings with values of every size are replayed without a trap`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var inputs = 0
        for _ in 0..<2000 {
            guard var replay = try? Replay(Self.recording(&random)) else { continue }
            var text = TextBuffer(capacity: 64)
            while (try? replay.step { stamped, _ in
                // As the command prints it.
                text.append(stamped.instant.nanoseconds, decimals: 9)
                text.removeAll()
            }) == true {}
            inputs += replay.inputs
        }
        #expect(inputs > 10_000)
    }
}
