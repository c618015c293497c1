internal import Access
internal import Beacons
internal import ClientProtocol
internal import HostSleep
internal import Magnetism
internal import Parts
internal import Receivers
public import SextantUnits
internal import TimeService

/// An input, its instant, and the digest of the outputs that the Engine gave for it.
public struct StampedInput: Sendable, Equatable {
    public var input: Input
    public var instant: MonotonicInstant
    public var digest: UInt64
}

/// The format of a flight recording on disk.
///
/// A header of eight bytes is followed by records: length of the rest (4 bytes), kind (1), instant in nanoseconds (8),
/// body, digest of the outputs (8); integers are little-endian. The length shows where a crash cut off the last record;
/// all records before it are whole.
public enum FlightFormat {
    public static let head: [UInt8] = Array("SXFLT06\n".utf8)
    /// The headers of earlier versions that can still be read.
    ///
    /// The records of version 5 have the same format. But the Engine of version 5 divided where that of version 6
    /// multiplies, so a few numbers differ in their last bits, and the digests with them.
    static let earlierHeads: [[UInt8]] = [Array("SXFLT05\n".utf8)]
    /// The beginning of the header, the same in every version.
    public static let family: [UInt8] = Array("SXFLT".utf8)
    /// The largest length of a record in bytes; a record that claims to be longer is damaged.
    public static let maximumLength = 1 << 20

    /// Appends one record.
    public static func append(
        _ record: Input, at instant: MonotonicInstant, digest: UInt64, to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        append(UInt32(0), to: &bytes)
        bytes.append(kind(of: record).rawValue)
        append(UInt64(bitPattern: instant.nanoseconds), to: &bytes)
        appendBody(record, to: &bytes)
        append(digest, to: &bytes)
        let length = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index))) }
    }

    private static func kind(of record: Input) -> InputKind {
        switch record {
        case .started(let configuration):
            configuration.radio.rangingDuty != nil
                ? .startedWithRangingDuty : configuration.watchesMotion ? .startedWatchingMotion : .started
        case .bytes: .bytes
        case .deviceOpened: .deviceOpened
        case .deviceFailed: .deviceFailed
        case .deviceAppeared: .deviceAppeared
        case .clientConnected: .clientConnected
        case .clientLine: .clientLine
        case .clientLineTooLong: .clientLineTooLong
        case .clientGone: .clientGone
        case .timePassed: .timePassed
        case .motion: .motion
        case .deferredFound: .deferredFound
        case .linesOpened: .linesOpened
        case .admission: .admission
        case .storeFound: .storeFound
        case .storeRead: .storeRead
        case .wakeFailed: .wakeFailed
        case .stopping: .stopping
        case .compassFound: .compassFound
        case .compassAbsent: .compassAbsent
        case .compassFailed: .compassFailed
        case .compassSampled: .compassSampled
        case .decisionsLost: .decisionsLost
        case .storeTrouble: .storeTrouble
        case .clientLineUnkept: .clientLineUnkept
        case .clockTrusted: .clockTrusted
        case .radioOpened: .radioOpened
        case .radioFailed: .radioFailed
        case .radioEvent: .radioEvent
        case .figures: .figures
        case .host: .host
        case .timeServed: .timeServed
        case .clockRead: .clockRead
        case .timeSink: .timeSink
        case .lineChanged: .lineChanged
        case .motionAnswered: .motionAnswered
        }
    }

    private static func appendBody(_ record: Input, to bytes: inout [UInt8]) {
        switch record {
        case .started(let configuration):
            if let duty = configuration.radio.rangingDuty {
                bytes.append(configuration.watchesMotion ? 1 : 0)
                append(duty.bitPattern, to: &bytes)
            }
            bytes += configuration.encode()
        case .bytes(let received): bytes.append(contentsOf: received)
        case .deviceOpened(let link, let time):
            bytes.append(link.rawValue)
            bytes.append(time == nil ? 0 : 1)
            append(UInt64(bitPattern: time?.nanoseconds ?? 0), to: &bytes)
        case .deviceFailed(let absence, let detail):
            bytes.append(absence == .missing ? 0 : 1)
            bytes.append(contentsOf: detail.utf8)
        case .clientConnected(let id, let kind, let identity, let others):
            append(id.rawValue, to: &bytes)
            bytes.append(kind.rawValue)
            if let identity { bytes += PeerIdentities(list: [identity] + others).encode() }
        case .admission(let admission): bytes += admission.encode()
        case .storeFound(let row): bytes += row.encode()
        case .wakeFailed(let client): bytes.append(contentsOf: client.utf8)
        case .clientLine(let id, let kind, let line):
            append(id.rawValue, to: &bytes)
            bytes.append(kind.rawValue)
            bytes.append(contentsOf: line)
        case .clientLineUnkept(let id, let line):
            append(id.rawValue, to: &bytes)
            bytes.append(contentsOf: line)
        case .clockTrusted(let utc): append(UInt64(bitPattern: utc.nanoseconds), to: &bytes)
        case .figures(let figures):
            append(UInt64(bitPattern: figures.startedAt.nanoseconds), to: &bytes)
            append(figures.residentBytes, to: &bytes)
            append(UInt64(bitPattern: figures.longestTurn), to: &bytes)
            append(figures.clientsDropped, to: &bytes)
            append(figures.storeErrors, to: &bytes)
        case .storeTrouble(let detail), .motionAnswered(let detail):
            bytes.append(detail == nil ? 0 : 1)
            bytes.append(contentsOf: (detail ?? "").utf8)
        case .clientLineTooLong(let id, let kind):
            append(id.rawValue, to: &bytes)
            bytes.append(kind.rawValue)
        case .clientGone(let id): append(id.rawValue, to: &bytes)
        case .linesOpened(let lines, let problem):
            bytes.append(lines.reduce(0) { $0 | 1 << $1.rawValue })
            bytes.append(problem == nil ? 0 : 1)
            bytes.append(contentsOf: (problem ?? "").utf8)
        case .motion(let moves): bytes.append(moves ? 1 : 0)
        case .lineChanged(.shows(let hasRisen, let isActive)):
            bytes.append((hasRisen ? 1 : 0) | (isActive ? 2 : 0))
        case .lineChanged(.lost): bytes.append(4)
        case .deferredFound(let record): bytes.append(contentsOf: record)
        case .host(let report): bytes += report.encode()
        case .timeServed(let configuration): bytes += configuration.encode()
        case .clockRead(let reading): bytes += reading.encode()
        case .timeSink(let state, let source):
            bytes.append(state.rawValue)
            if source != .messages { bytes.append(source.rawValue) }
        case .compassFound(let chips): bytes += chips.encode()
        case .radioEvent(let event): bytes.append(contentsOf: event)
        case .compassAbsent(let detail), .compassFailed(let detail), .radioFailed(let detail):
            bytes.append(contentsOf: detail.utf8)
        case .compassSampled(let sample): bytes += sample.encode()
        case .deviceAppeared, .decisionsLost, .radioOpened, .storeRead, .timePassed, .stopping: break
        }
    }

    static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for index in 0..<(value.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}

/// Why reading a recording cannot go on.
public enum FlightFormatError: Error, Sendable, Equatable {
    case notARecording
    /// The bytes at this offset are not a valid record; all records before it are whole.
    case damaged(offset: Int)
}

/// Reads a flight recording, record by record; the recording can be given whole or in pieces.
public struct FlightReader: Sendable {
    /// The part of the recording that is still needed; the number of bytes before it, read and removed, is `dropped`.
    private var bytes: [UInt8]
    private var dropped = 0
    /// The index in `bytes` at which the next record begins.
    private var position: Int

    /// The offset in the recording at which the next record begins, in bytes.
    public var offset: Int { dropped + position }

    let head: [UInt8]

    /// - Parameter bytes: The recording, or its first piece, with at least its header.
    public init(_ bytes: [UInt8]) throws(FlightFormatError) {
        let heads = [FlightFormat.head] + FlightFormat.earlierHeads
        guard let head = heads.first(where: { bytes.starts(with: $0) }) else { throw .notARecording }
        self.head = head
        self.bytes = bytes
        position = head.count
    }

    /// Adds the recording's next piece, of any size, and drops the records that were read.
    ///
    /// So memory holds no more than one piece and one unfinished record.
    public mutating func append(_ piece: [UInt8]) {
        bytes.removeFirst(position)
        dropped += position
        position = 0
        bytes += piece
    }

    /// The instant of the last record.
    private var last = MonotonicInstant.zero

    /// The latest instant that a record can have; no board runs for 18 years without a restart.
    private static let latest = MonotonicInstant(nanoseconds: 1 << 59)

    /// Whether a record can have this instant, which must not be before that of the last record.
    ///
    /// The record of a configuration is exempt: it begins each file, with the instant at which the run began.
    private func isPossible(_ instant: MonotonicInstant, of input: Input) -> Bool {
        if case .started = input { return (.zero...FlightReader.latest).contains(instant) }
        return (last...FlightReader.latest).contains(instant)
    }

    /// Whether the bytes so far end in a record or a file header that was cut off.
    public private(set) var isTruncated = false

    /// The next record; nil at the end of the bytes so far, and at a record that was cut off.
    public mutating func next() throws(FlightFormatError) -> StampedInput? {
        // Here the next file of the recording can begin. Its header cannot be a record: read as a length, it would be
        // too great.
        if bytes[position...].starts(with: head) { position += head.count }
        let rest = bytes[position...]
        isTruncated = false
        guard rest.count >= 4, rest.count >= head.count || !head.starts(with: rest) else {
            isTruncated = !rest.isEmpty
            return nil
        }
        let length = Int(clamping: bytes.span.littleEndian(at: position) as UInt32)
        guard length >= 17, length <= FlightFormat.maximumLength else { throw .damaged(offset: offset) }
        guard rest.count >= 4 + length else {
            isTruncated = true
            return nil
        }
        let start = position + 4
        let end = start + length - 8
        guard let kind = InputKind(rawValue: bytes[start]), let record = decode(kind, start + 9..<end) else {
            throw .damaged(offset: offset)
        }
        let instant = MonotonicInstant(nanoseconds: bytes.span.littleEndian(at: start + 1))
        guard isPossible(instant, of: record) else { throw .damaged(offset: offset) }
        // The clock of the next boot starts again from 0.
        if case .started = record { last = instant }
        last = max(last, instant)
        position = start + length
        return StampedInput(input: record, instant: instant, digest: bytes.span.littleEndian(at: end))
    }

    private func decode(_ kind: InputKind, _ body: Range<Int>) -> Input? {
        switch kind {
        case .started, .startedWatchingMotion:
            return started(body, watchesMotion: kind == .startedWatchingMotion, rangingDuty: nil)
        case .startedWithRangingDuty:
            guard body.count > 9 else { return nil }
            let duty = Double(bitPattern: bytes.span.littleEndian(at: body.lowerBound + 1))
            guard (0.1...1).contains(duty) else { return nil }
            return started(body.dropFirst(9), watchesMotion: bytes[body.lowerBound] != 0, rangingDuty: duty)
        case .bytes: return .bytes(Array(bytes[body]))
        case .deviceOpened:
            guard body.count == 10, let link = ReceiverLink(rawValue: bytes[body.lowerBound]) else { return nil }
            let time = UTCInstant(nanoseconds: bytes.span.littleEndian(at: body.lowerBound + 2))
            return .deviceOpened(link, time: bytes[body.lowerBound + 1] == 0 ? nil : time)
        case .deviceFailed:
            guard let absence = body.first.map({ bytes[$0] }) else { return nil }
            return .deviceFailed(absence == 0 ? .missing : .refused, detail: text(body.dropFirst()))
        case .deviceAppeared: return body.isEmpty ? .deviceAppeared : nil
        case .clientConnected, .clientLine, .clientLineTooLong: return client(kind, body)
        case .clientGone:
            return body.count == 4 ? .clientGone(ClientID(rawValue: bytes.span.littleEndian(at: body.lowerBound))) : nil
        case .timePassed: return body.isEmpty ? .timePassed : nil
        case .motion: return body.count == 1 ? .motion(bytes[body.lowerBound] != 0) : nil
        case .deferredFound: return .deferredFound(Array(bytes[body]))
        case .linesOpened: return linesOpened(body)
        case .storeTrouble: return detail(body).map { .storeTrouble($0) }
        case .clientLineUnkept:
            guard body.count >= 4 else { return nil }
            return .clientLineUnkept(
                ClientID(rawValue: bytes.span.littleEndian(at: body.lowerBound)), Array(bytes[body.dropFirst(4)]))
        case .clockTrusted:
            guard body.count == 8 else { return nil }
            return .clockTrusted(
                UTCInstant(nanoseconds: bytes.span.littleEndian(at: body.lowerBound)))
        case .figures: return figures(body)
        case .lineChanged: return body.count == 1 ? motionLine(bytes[body.lowerBound]).map { .lineChanged($0) } : nil
        case .motionAnswered: return detail(body).map { .motionAnswered(problem: $0) }
        default: return service(kind, Array(bytes[body]))
        }
    }

    private func service(_ kind: InputKind, _ body: [UInt8]) -> Input? {
        switch kind {
        case .admission: Admission.decode(body.span).map { .admission($0) }
        case .storeFound: DurableRow.decode(body.span).map { .storeFound($0) }
        case .storeRead: body.isEmpty ? .storeRead : nil
        case .wakeFailed: String(validating: body, as: UTF8.self).map { .wakeFailed(client: $0) }
        case .stopping: body.isEmpty ? .stopping : nil
        case .compassFound: CompassChips.decode(body.span).map { .compassFound($0) }
        case .compassAbsent: String(validating: body, as: UTF8.self).map { .compassAbsent(detail: $0) }
        case .compassFailed: String(validating: body, as: UTF8.self).map { .compassFailed(detail: $0) }
        case .compassSampled: CompassSample.decode(body.span).map { .compassSampled($0) }
        case .decisionsLost: body.isEmpty ? .decisionsLost : nil
        case .radioOpened: body.isEmpty ? .radioOpened : nil
        case .radioFailed: String(validating: body, as: UTF8.self).map { .radioFailed(detail: $0) }
        case .radioEvent: .radioEvent(body)
        case .host: HostReport.decode(body.span).map { .host($0) }
        case .timeServed: TimeConfiguration.decode(body.span).map { .timeServed($0) }
        case .clockRead: ClockReading.decode(body.span).map { .clockRead($0) }
        case .timeSink: timeSink(body)
        default: nil
        }
    }

    private func timeSink(_ body: [UInt8]) -> Input? {
        guard (1...2).contains(body.count), let state = TimeSinkState(rawValue: body[0]),
            let source = body.count == 1 ? .messages : TimeSample.Source(rawValue: body[1])
        else { return nil }
        return .timeSink(state, of: source)
    }

    private func figures(_ body: Range<Int>) -> Input? {
        guard body.count == 40 else { return nil }
        let values = (0..<5).map { bytes.span.littleEndian(at: body.lowerBound + 8 * $0) as UInt64 }
        return .figures(
            ProcessFigures(
                startedAt: UTCInstant(nanoseconds: Int64(bitPattern: values[0])), residentBytes: values[1],
                longestTurn: Int64(bitPattern: values[2]), clientsDropped: values[3], storeErrors: values[4]))
    }

    private func linesOpened(_ body: Range<Int>) -> Input? {
        guard body.count >= 2 else { return nil }
        let lines = LineRole.allCases.filter { bytes[body.lowerBound] & 1 << $0.rawValue != 0 }
        let problem = bytes[body.lowerBound + 1] == 0 ? nil : text(body.dropFirst(2))
        return .linesOpened(Set(lines), problem: problem)
    }

    private func motionLine(_ byte: UInt8) -> MotionLine? {
        switch byte {
        case 0...3: .shows(hasRisen: byte & 1 != 0, isActive: byte & 2 != 0)
        case 4: .lost
        default: nil
        }
    }

    private func started(_ body: Range<Int>, watchesMotion: Bool, rangingDuty: Double?) -> Input? {
        var configuration = EngineConfiguration.decode(bytes.span.extracting(body))
        configuration?.watchesMotion = watchesMotion
        configuration?.radio.rangingDuty = rangingDuty
        return configuration.map { .started($0) }
    }

    private func client(_ kind: InputKind, _ body: Range<Int>) -> Input? {
        guard body.count >= 5, let client = ClientKind(rawValue: bytes[body.lowerBound + 4]) else { return nil }
        let id = ClientID(rawValue: bytes.span.littleEndian(at: body.lowerBound))
        switch kind {
        case .clientConnected:
            let rest = Array(bytes[body.dropFirst(5)])
            guard !rest.isEmpty else { return .clientConnected(id, client) }
            return PeerIdentities.decode(rest.span).map {
                .clientConnected(id, client, $0.list.first, others: Array($0.list.dropFirst()))
            }
        case .clientLine: return .clientLine(id, client, Array(bytes[body.dropFirst(5)]))
        default: return .clientLineTooLong(id, client)
        }
    }

    /// An optional text, after a byte that says whether it is there; nil where that byte is missing.
    private func detail(_ body: Range<Int>) -> String?? {
        body.first.map { bytes[$0] == 0 ? nil : text(body.dropFirst()) }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// The kinds of inputs in a recording; the raw values are stored, so they never change.
private enum InputKind: UInt8 {
    case started = 1
    case bytes = 2
    case deviceOpened = 3
    case deviceFailed = 4
    case deviceAppeared = 5
    case clientConnected = 6
    case clientLine = 7
    case clientLineTooLong = 8
    case clientGone = 9
    case timePassed = 10
    case motion = 11
    case deferredFound = 12
    case linesOpened = 13
    case admission = 14
    case storeFound = 15
    case storeRead = 16
    case wakeFailed = 17
    case stopping = 18
    case compassFound = 19
    case compassAbsent = 20
    case compassFailed = 21
    case compassSampled = 22
    case decisionsLost = 23
    case storeTrouble = 24
    case clientLineUnkept = 25
    case clockTrusted = 26
    case radioOpened = 27
    case radioFailed = 28
    case radioEvent = 29
    case figures = 30
    case host = 31
    case timeServed = 32
    case clockRead = 33
    case timeSink = 34
    case lineChanged = 35
    case motionAnswered = 36
    // `startedWatchingMotion` and `startedWithRangingDuty` hold settings that were added when no flag was left in the
    // record of kind 1.
    case startedWatchingMotion = 37
    case startedWithRangingDuty = 40
}
