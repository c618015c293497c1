import Emulation
import Epochs
import NMEA0183
import Receivers
import SextantUnits
import UBX

/// A host and an emulated receiver on a table: literal seconds in, messages out.
struct HostBench {
    /// 2027-01-15T08:00:00Z.
    static let start = 1_800_000_000.0

    var receiver: EmulatedReceiver
    private(set) var now = 0.0
    /// What has come since `clear`, with when its last byte was there.
    private(set) var sentences: [(time: Double, text: String)] = []
    private(set) var frames: [(time: Double, id: UBXMessageID, payload: [UInt8])] = []
    private(set) var byteCount = 0
    private var stream = ReceiverStream()

    init(
        _ model: ReceiverModel, seed: UInt64 = 1, mask: MaskIntervals = .none, trajectory: Trajectory = still,
        _ adjust: (inout EmulatedReceiver.Options) -> Void = { _ in }
    ) {
        var options = EmulatedReceiver.Options()
        adjust(&options)
        receiver = EmulatedReceiver(model: model, trajectory: trajectory, mask: mask, seed: seed, options: options)
    }

    static let still = Trajectory(points: [
        TrajectoryPoint(time: start, latitude: 47.4, longitude: 8.5, altitude: 400)
    ])

    static func instant(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static func seconds(_ instant: MonotonicInstant) -> Double { Double(instant.nanoseconds) / 1e9 }

    var counters: ReceiverStream.Counters { stream.counters }

    mutating func run(to seconds: Double) {
        now = seconds
        var heard: [(Double, [UInt8])] = []
        receiver.advance(to: HostBench.instant(seconds)) { bytes, instant in
            heard.append((HostBench.seconds(instant), bytes.indices.map { bytes[$0] }))
        }
        for (time, bytes) in heard {
            byteCount += bytes.count
            _ = stream.append(bytes.span)
            while let message = stream.next() { keep(message, at: time) }
        }
    }

    private mutating func keep(_ message: ReceiverStream.Message, at time: Double) {
        let bytes = Array(stream.window[stream.range])
        switch message {
        case .sentence: sentences.append((time, String(decoding: bytes.dropFirst().dropLast(3), as: UTF8.self)))
        case .frame:
            let payload = Array(bytes[UBXFraming.payloadRange(frameLength: bytes.count)])
            frames.append((time, UBXFraming.identifier(of: bytes.span), payload))
        }
    }

    mutating func clear() {
        sentences = []
        frames = []
        byteCount = 0
    }

    mutating func set(_ role: LineRole, _ level: Bool) {
        receiver.setLine(role, level, at: HostBench.instant(now))
    }

    mutating func send(_ bytes: [UInt8]) { receiver.receive(bytes.span, at: HostBench.instant(now)) }

    mutating func send(_ message: some UBXMessage) { send(message.frame) }

    mutating func send(sentence: String) {
        var bytes: [UInt8] = []
        NMEAEncoder.append(Array(sentence.utf8).span, to: &bytes)
        send(bytes)
    }

    mutating func poll(_ id: UBXMessageID) {
        var bytes: [UInt8] = []
        UBXEncoder.appendPoll(id, into: &bytes)
        send(bytes)
    }

    mutating func set(_ key: UBXConfigurationKey, _ value: UInt64, in layers: CfgVALSET.Layers) {
        var bytes: [UInt8] = []
        CfgVALSET.encode(layers: layers, items: [UBXConfigurationItem(key: key, value: value)].span, into: &bytes)
        send(bytes)
    }

    /// Makes a u-blox 8 report NAV-PVT and NAV-EOE at 115200 baud, and nothing else.
    mutating func configureM8() {
        send(CfgPRT(uart1Baud: 115_200, inputProtocols: CfgPRT.ubx, outputProtocols: CfgPRT.ubx))
        send(CfgMSG(subject: .navPVT, rate: .thisPort(1)))
        send(CfgMSG(subject: .navEOE, rate: .thisPort(1)))
    }

    /// Steps from event to event until it tracks, at most so long; the second at which it does.
    mutating func runUntilTracking(limit: Double) -> Double? {
        while receiver.powerState != .track {
            guard let next = receiver.nextEvent, HostBench.seconds(next) <= limit else { return nil }
            run(to: HostBench.seconds(next))
        }
        return now
    }

    func frames(_ id: UBXMessageID) -> [(time: Double, payload: [UInt8])] {
        frames.filter { $0.id == id }.map { ($0.time, $0.payload) }
    }

    var positions: [NavPVT] { frames(.navPVT).compactMap { try? NavPVT(payload: $0.payload.span) } }
}

extension Array where Element == Double {
    var median: Double { sorted()[count / 2] }
    var mean: Double { reduce(0, +) / Double(count) }
}
