internal import ClientProtocol
internal import JSON
internal import Monitors
internal import Receivers
internal import Sessions
internal import Units

/// A digest of the Engine's outputs for one input; equal digests mean equal outputs, to the byte.
///
/// It is 64-bit FNV-1a over every action, its text, and `wake`. Source: the FNV reference of G. Fowler, L. C. Noll,
/// K.-P. Vo.
public struct OutputDigest: Sendable, Equatable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init(of outputs: borrowing Outputs) {
        for action in outputs.actions {
            switch action {
            case .openDevice(let baud): add(1, baud ?? 0)
            case .setBaud(let baud): add(2, baud)
            case .rest(let until): add(3, Int(until.nanoseconds))
            case .send(let client, let range):
                add(4, Int(client.rawValue))
                add(range, of: outputs)
            case .remember(let baud): add(5, baud)
            case .persist(.deferred, let sequence, let range):
                add(8, Int(truncatingIfNeeded: sequence))
                add(range, of: outputs)
            case .acknowledge(.deferred(let key), let sequence):
                add(9, Int(truncatingIfNeeded: sequence))
                add(10, Int(truncatingIfNeeded: key.label))
            case .transmit(let range): add(11, range, of: outputs)
            case .setLine(let role, let level): add(12, Int(role.rawValue) << 1 | (level ? 1 : 0))
            case .holdTransmitterLow(let isLow): add(13, isLow ? 1 : 0)
            case .keepLearned(let range): add(14, range, of: outputs)
            case .store(let change): add(change)
            case .hold(let client, let confirmations, let refusal):
                add(30, Int(client.rawValue))
                for confirmation in confirmations { add(31, confirmation, of: outputs) }
                if let refusal { add(32, refusal, of: outputs) }
            case .keepTrack(let places):
                for place in places { add(place) }
            case .serveTrack(let client, _, .erase): add(22, Int(client.rawValue))
            case .serveTrack(let client, _, .read(let from, let to, let limit)):
                add(23, Int(client.rawValue))
                add(24, Int(from.nanoseconds))
                add(25, Int(to.nanoseconds))
                add(27, limit)
            case .wake(let client, _, let service):
                add(18, Int(service.rawValue))
                add(client)
            case .endWake(let client, _):
                add(19, 0)
                add(client)
            case .wakeDone(let client, _):
                add(20, 0)
                add(client)
            case .findCompass: add(28, 0)
            case .sampleCompass: add(29, 0)
            case .log(let event): for byte in String(describing: event).utf8 { add(byte) }
            }
        }
        add(7, Int(outputs.wake?.nanoseconds ?? -1))
    }

    private mutating func add(_ tag: UInt8, _ range: Range<Int>, of outputs: borrowing Outputs) {
        add(tag, range.count)
        add(range, of: outputs)
    }

    private mutating func add(_ range: Range<Int>, of outputs: borrowing Outputs) {
        outputs.text.withBytes(range) { bytes in
            for index in bytes.indices { add(bytes[index]) }
        }
    }

    private mutating func add(_ change: DurableChange) {
        switch change {
        case .put(let row):
            add(15, Int(row.table.rawValue))
            add(row.client)
            add(row.name)
            for byte in row.value { add(byte) }
        case .remove(let table, let client, let name):
            add(16, Int(table.rawValue))
            add(client)
            add(name)
        case .erase(let client):
            add(17, 0)
            add(client)
        }
    }

    private mutating func add(_ place: TrackedPlace) {
        add(21, Int(place.time.nanoseconds))
        for value in [
            place.latitude, place.longitude, place.altitude, place.horizontalAccuracy, place.speed, place.course,
        ] { add(26, value.map { Int(truncatingIfNeeded: $0.bitPattern) } ?? -1) }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    private mutating func add(_ tag: UInt8, _ value: Int) {
        add(tag)
        for place in 0..<8 { add(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
