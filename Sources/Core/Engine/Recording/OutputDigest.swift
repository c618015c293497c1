internal import ClientProtocol
internal import ClientVocabulary
internal import HostSleep
internal import Monitors
public import Parts
internal import Receivers
internal import SextantJSON
internal import SextantUnits
internal import TimeService

/// A digest of the Engine's outputs for one input: equal outputs have equal digests.
///
/// It is 64-bit FNV-1a over the kind of every action, over the lines and rows in it, and over `wake`, the next instant
/// at which the Engine has something to do. A few members are left out, such as the wording of log messages and the
/// unit that is started.
public struct OutputDigest: Sendable, Equatable {
    private var hash = FNV1a()

    public var value: UInt64 { hash.value }

    public init(of turn: borrowing Turn) {
        for action in turn.actions {
            switch action {
            case .openDevice(let baud): add(1, baud ?? 0)
            case .port(let order): add(order)
            case .rest(let until): add(3, until.nanoseconds)
            case .send(let client, let range):
                add(4, client.rawValue)
                add(range, of: turn)
            case .remember(let baud): add(5, baud)
            case .persist(.deferred, let sequence, let range):
                add(8, sequence)
                add(range, of: turn)
            case .acknowledge(.deferred(let key), let sequence):
                add(9, sequence)
                add(10, key.label)
            case .setLine(let role, let level): add(12, UInt64(role.rawValue) << 1 | (level ? 1 : 0))
            case .keepLearned(let range): add(14, range, of: turn)
            case .store(let change): add(change)
            case .hold(let client, let confirmations, let refusal):
                add(50, client.rawValue)
                for confirmation in confirmations { add(51, confirmation, of: turn) }
                if let refusal { add(52, refusal, of: turn) }
            case .keepTrack(let places):
                for place in places { add(place) }
            case .serveTrack(let client, _, .erase): add(22, client.rawValue)
            case .serveTrack(let client, _, .read(let from, let to, let limit, let newest)):
                add(23, client.rawValue)
                add(24, from.nanoseconds)
                add(25, to.nanoseconds)
                add(27, limit)
                if newest { add(55, 1) }
            case .wake(let client, _, let service):
                add(18, service.rawValue)
                add(client)
            case .endWake(let client, _):
                add(19, 0)
                add(client)
            case .wakeDone(let client, _):
                add(20, 0)
                add(client)
            case .startUnit(let start): add(53, start)
            case .expireStart(let start): add(54, start)
            case .findCompass: add(28, 0)
            case .sampleCompass: add(29, 0)
            case .watchMotion: add(72, 0)
            case .lookAtLine(let instant): add(73, instant?.nanoseconds ?? -1)
            case .radio(let range): add(56, range, of: turn)
            case .host(let order): add(order)
            case .readClock: add(64, 0)
            case .tellTime(let sample):
                add(65, sample.clock.nanoseconds)
                add(66, sample.truth.nanoseconds)
                add(67, sample.leap.rawValue)
                if sample.source != .messages { add(68, sample.source.rawValue) }
            case .log(let notice): add(notice)
            }
        }
        add(7, turn.wake?.nanoseconds ?? -1)
    }

    private mutating func add(_ tag: UInt8, _ start: BorderStart) {
        add(tag, start.event.number)
        for text in [start.client, start.region, start.unit] { add(text) }
    }

    private mutating func add(_ order: HostOrder) {
        switch order {
        case .inspect(let wall): add(60, wall?.nanoseconds ?? 0)
        case .disarm: add(61, 0)
        case .arm(let order):
            add(62, 0)
            for byte in order.encode() { hash.add(byte) }
        case .powerOff(let order):
            add(63, 0)
            for byte in order.encode() { hash.add(byte) }
        }
    }

    private mutating func add(_ order: PortOrder) {
        switch order {
        case .setBaud(let baud): add(2, baud)
        case .transmit(let bytes):
            add(11, bytes.count)
            for byte in bytes { hash.add(byte) }
        case .holdTransmitterLow(let isLow): add(13, isLow ? 1 : 0)
        }
    }

    private mutating func add(_ tag: UInt8, _ range: Range<Int>, of turn: borrowing Turn) {
        add(tag, range.count)
        add(range, of: turn)
    }

    private mutating func add(_ range: Range<Int>, of turn: borrowing Turn) {
        turn.text.withBytes(range) { bytes in
            for index in bytes.indices { hash.add(bytes[index]) }
        }
    }

    private mutating func add(_ change: DurableChange) {
        switch change {
        case .put(let row):
            add(15, row.table.rawValue)
            add(row.client)
            add(row.name)
            for byte in row.value { hash.add(byte) }
        case .remove(let table, let client, let name):
            add(16, table.rawValue)
            add(client)
            add(name)
        case .erase(let client):
            add(17, 0)
            add(client)
        }
    }

    /// Adds a log notice to the digest by a fixed number, so that a new name for its case or new words in its sentence
    /// leave the digest unchanged.
    private mutating func add(_ notice: Notice) {
        switch notice {
        case .deviceOpened(let path, let baud): add(30, baud ?? 0, path)
        case .deviceFailed(let detail): add(31, 0, detail)
        case .tryingRate(let baud): add(32, baud)
        case .rateFound(let baud): add(33, baud)
        case .unintelligible(let path, let baud): add(34, baud ?? 0, path)
        case .receiving(let path): add(35, 0, path)
        case .silent(let path, let seconds): add(36, seconds, path)
        case .foreignDatum(let path, _): add(58, 0, path)
        case .datumIsOurs(let path): add(59, 0, path)
        case .receiverIdentified(let name, let firmware):
            add(37, 0, name)
            add(firmware)
        case .receiverTrouble: add(38, 0)
        case .compassFound: add(39, 0)
        case .compassTrouble: add(40, 0)
        case .radioTrouble: add(57, 0)
        case .pulseTrouble: add(69, 0)
        case .client(let name, _): add(41, 0, name)
        case .unreadableRow(let table, let client, let name):
            add(42, table.rawValue, client)
            add(name)
        case .unreadableDeferredFix(let byteCount): add(43, byteCount)
        }
    }

    private mutating func add(_ tag: UInt8, _ value: some FixedWidthInteger, _ text: String) {
        add(tag, value)
        add(text)
    }

    private mutating func add(_ place: TrackedPlace) {
        add(21, place.time.nanoseconds)
        for value in [
            place.latitude, place.longitude, place.altitude, place.horizontalAccuracy, place.speed, place.course,
        ] { add(26, value.map { $0.bitPattern } ?? .max) }
        if place.isAfterSleep { add(70, 1) }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { hash.add(byte) }
        hash.add(0)
    }

    private mutating func add(_ tag: UInt8, _ value: some FixedWidthInteger) {
        hash.add(tag)
        let value = UInt64(truncatingIfNeeded: value)
        for index in 0..<8 { hash.add(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
