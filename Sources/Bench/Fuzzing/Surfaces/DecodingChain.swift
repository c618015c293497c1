internal import ClientProtocol
internal import ClientVocabulary
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import NMEA0183
internal import SextantJSON
internal import SextantUnits
internal import UBX

/// A violated rule that the decoders must keep for every input.
public enum Violation: Error, Sendable, Equatable {
    case countersDoNotAddUp
    case windowGrew
    case piecesMatter
    case positionOutOfRange
    case angleOutOfRange
    case timeOutOfRange
    case tooManySatellites
    case notJSON(String)
    case commandsOutOfTurn
    case beaconNotInItsEvent
    case tooManyPlaces
    case placeOutOfRange
    case emptyPartOfPlace(String)
    case rowNotKept(String)
}

/// The whole chain from a receiver's bytes to JSON text; each UBX frame also passes through its own decoder.
public struct DecodingChain: ~Copyable {
    private var stream = ReceiverStream()
    private var reader = MessageReader()
    private let windowSize: Int
    /// The number of bytes that are CR or LF.
    private var lineEndCount: UInt64 = 0

    public init() {
        windowSize = stream.window.count
    }

    /// A digest that is equal for two runs only if the same messages and epochs were decoded.
    public var digest: UInt64 { reader.digest &+ stream.counters.skippedBytes }

    /// The number of decoded epochs.
    public var epochCount: Int { reader.epochCount }
    /// The number of complete messages.
    public var messageCount: UInt64 { stream.counters.sentences + stream.counters.frames }

    /// Resets the chain as after a restart; the count of epochs stays.
    public mutating func reset() {
        stream = ReceiverStream()
        reader.reset()
        lineEndCount = 0
    }

    /// Decodes bytes as they can arrive from a serial line.
    public mutating func push(_ bytes: borrowing Span<UInt8>) throws(Violation) {
        for index in 0..<bytes.count where bytes[index] == 0x0D || bytes[index] == 0x0A { lineEndCount += 1 }
        var offset = 0
        while offset < bytes.count {
            offset += stream.append(bytes.extracting(offset..<bytes.count))
            try DecodingChain.drain(&stream, &reader)
        }
        guard stream.window.count == windowSize else { throw .windowGrew }
    }

    /// Simulates a silence on the line, at which partial messages are abandoned.
    public mutating func silence() throws(Violation) {
        while stream.hasPartialMessage {
            stream.abandonPartialMessage()
            try DecodingChain.drain(&stream, &reader)
        }
        let counters = stream.counters
        let told = reader.byteCount + counters.skippedBytes
        guard told <= counters.bytes, counters.bytes <= told + lineEndCount,
            reader.messageCount == messageCount
        else { throw .countersDoNotAddUp }
        try reader.silence()
    }

    private static func drain(_ stream: inout ReceiverStream, _ reader: inout MessageReader) throws(Violation) {
        while let message = stream.next() {
            let bytes = stream.window.span.extracting(stream.range)
            switch message {
            case .sentence: try reader.take(stream.fields, bytes)
            case .frame: try reader.take(bytes)
            }
        }
    }
}

/// Decodes messages, and writes the epochs that the messages form as JSON.
private struct MessageReader: ~Copyable {
    private var assembler = EpochAssembler(reference: .near(BuildDate.instant), source: .line)
    private var gpsd = GPSDReport()
    private var text = TextBuffer(capacity: 1 << 16)
    private var clock: Int64 = 0
    private(set) var epochCount = 0
    private(set) var messageCount: UInt64 = 0
    private(set) var byteCount: UInt64 = 0
    private(set) var digest: UInt64 = 0

    mutating func reset() {
        assembler = EpochAssembler(reference: .near(BuildDate.instant), source: .line)
        gpsd = GPSDReport()
        messageCount = 0
        byteCount = 0
        digest = 0
        clock = 0
    }

    mutating func take(_ fields: NMEAFields, _ bytes: borrowing Span<UInt8>) throws(Violation) {
        count(bytes)
        guard (try? assembler.push(fields, in: bytes, at: MonotonicInstant(nanoseconds: clock))) != nil else { return }
        try publish()
    }

    mutating func take(_ frame: borrowing Span<UInt8>) throws(Violation) {
        count(frame)
        let id = UBXFraming.identifier(of: frame)
        let payload = frame.extracting(UBXFraming.payloadRange(frameLength: frame.count))
        UBXDecoders.decode(id, payload)
        guard (try? assembler.push(id, payload: payload, at: MonotonicInstant(nanoseconds: clock))) != nil else {
            return
        }
        try publish()
    }

    mutating func silence() throws(Violation) {
        assembler.silence()
        try publish()
    }

    /// Mixes a word into the digest.
    ///
    /// Source: FNV-1a, with words instead of bytes.
    private mutating func mix(_ word: UInt64) { digest = (digest ^ word) &* 0x100_0000_01B3 }

    private mutating func count(_ bytes: borrowing Span<UInt8>) {
        clock &+= 1_000_000
        messageCount += 1
        byteCount += UInt64(bytes.count)
        mix(UInt64(bytes.count) << 8 | UInt64(bytes[bytes.count - 1]))
    }

    private mutating func publish() throws(Violation) {
        for index in assembler.closedEpochs {
            let epoch = assembler.closed(index)
            try check(epoch)
            epochCount += 1
            text.removeAll()
            EpochObject.append(epoch, event: .epoch, hasSatellites: true, to: &text)
            let end = text.count
            text.append("\r\n" as StaticString)
            gpsd.append(epoch, device: "/dev/\"serial0\"", to: &text)
            mix(UInt64(text.count))
            if epochCount % 16 == 0 { try checkText(firstLine: end) }
        }
    }

    private func check(_ epoch: Epoch) throws(Violation) {
        let fix = epoch.fix
        guard epoch.satellites.count <= 192 else { throw .tooManySatellites }
        if let latitude = fix.latitude, !(-90.000_000_1...90.000_000_1).contains(latitude) { throw .positionOutOfRange }
        if let longitude = fix.longitude, !(-180.000_000_1...180.000_000_1).contains(longitude) {
            throw .positionOutOfRange
        }
        if let course = fix.courseOverGround, !(0..<360).contains(course) { throw .angleOutOfRange }
        if let heading = fix.heading, !(0..<360).contains(heading) { throw .angleOutOfRange }
        if let year = fix.time?.date.year, !(2016...2037).contains(year) { throw .timeOutOfRange }
        for satellite in epoch.satellites {
            if let azimuth = satellite.azimuth, !(0..<360).contains(azimuth) { throw .angleOutOfRange }
            if let elevation = satellite.elevation, !(-90...90).contains(elevation) { throw .angleOutOfRange }
        }
    }

    /// Checks that every line of the text is valid JSON.
    private func checkText(firstLine: Int) throws(Violation) {
        let bad: String? = text.withBytes { bytes in
            var start = 0
            for index in 0..<bytes.count where bytes[index] == 0x0A {
                if !JSONCheck.isValue(bytes.extracting(start..<index - 1)) {
                    return String(decoding: (start..<index).map { bytes[$0] }, as: UTF8.self)
                }
                start = index + 1
            }
            return start == bytes.count ? nil : "a line without an end"
        }
        if let bad { throw .notJSON(bad) }
    }
}
