internal import ClientProtocol
internal import ClientVocabulary
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

/// Decodes recordings into epochs, and writes them in one of the formats of `sextant decode`.
struct RecordingDecoder: ~Copyable {
    private let format: DecodeFormat
    private let date: CivilDate?
    private var text = TextBuffer(capacity: 1 << 18)
    private var gpsd = GPSDReport()
    private var epochCount = 0

    init(format: DecodeFormat, date: CivilDate?) {
        self.format = format
        self.date = date
    }

    mutating func begin() {
        switch format {
        case .csv: FixTable.appendHeader(to: &text)
        case .gpx: GPXTrack.appendHead(to: &text)
        case .json, .gpsd: break
        }
    }

    mutating func decode(_ name: String) throws {
        var file = try InputFile(name)
        var decoder = EpochDecoder(reference: RecordingDecoder.reference(date: date), source: .recording)
        gpsd = GPSDReport()
        epochCount = 0
        var failure: CommandFailure?
        do {
            try read(&file, into: &decoder)
        } catch let problem as CommandFailure {
            // The epochs before the damaged part of the recording are kept, also the epoch that the damaged part cut
            // off.
            failure = problem
        }
        while decoder.abandonPartialMessage() { try drain(&decoder) }
        decoder.finish()
        try publish(decoder)
        if let failure { throw failure }
        guard decoder.stream.counters.bytes > 0 else {
            throw CommandFailure.data("\(file.name): is empty; a recording holds a receiver's raw NMEA or UBX bytes")
        }
        guard decoder.stream.counters.sentences + decoder.stream.counters.frames > 0 else {
            throw CommandFailure.data(
                "\(file.name): no checked NMEA sentence or UBX frame in \(decoder.stream.counters.bytes) bytes; "
                    + "record the receiver's raw bytes, at its own baud rate")
        }
        guard epochCount > 0 else {
            let count = decoder.stream.counters.sentences + decoder.stream.counters.frames
            throw CommandFailure.data(
                "\(file.name): no position, time or sky view in its messages (\(count)); have the receiver send GGA "
                    + "and RMC, or UBX-NAV-PVT")
        }
    }

    private mutating func read(_ file: inout InputFile, into decoder: inout EpochDecoder) throws {
        var isFirst = true
        while try file.read() {
            if isFirst { try RecordingHead.check(file) }
            if isFirst, date == nil,
                let written = RecordingHead.date(of: file.buffer.span.extracting(first: file.count))
            {
                decoder.setReference(.near(UTCInstant(date: written, timeOfDay: 0)))
            }
            isFirst = false
            var offset = 0
            while offset < file.count {
                offset += decoder.append(file.buffer.span.extracting(offset..<file.count))
                try drain(&decoder)
            }
            if text.count > 1 << 16 { try StandardOutput.write(&text) }
        }
    }

    mutating func end() throws {
        if format == .gpx { GPXTrack.appendTail(to: &text) }
        try StandardOutput.write(&text)
    }

    private mutating func drain(_ decoder: inout EpochDecoder) throws {
        while decoder.advance(at: .zero) { try publish(decoder) }
    }

    private mutating func publish(_ decoder: borrowing EpochDecoder) throws {
        epochCount += decoder.closedEpochs.count
        for index in decoder.closedEpochs { append(decoder.closed(index)) }
        if text.count > 1 << 17 { try StandardOutput.write(&text) }
    }

    private mutating func append(_ epoch: Epoch) {
        switch format {
        case .json:
            EpochObject.append(epoch, event: .epoch, hasSatellites: true, to: &text)
            text.append(0x0A)
        case .gpsd: gpsd.append(epoch, device: nil, to: &text)
        case .csv: FixTable.append(epoch.fix, to: &text)
        case .gpx: GPXTrack.append(epoch.fix, to: &text)
        }
    }

    /// The reference for completing the dates in a recording: the date from the command line; otherwise the host's
    /// clock, because a recording cannot be from the future.
    ///
    /// The host's clock is allowed to be a day slow.
    private static func reference(date: CivilDate?) -> DateReference {
        if let date { return .near(UTCInstant(date: date, timeOfDay: 0)) }
        return .notAfter(max(Clock.utc(), BuildDate.instant).advanced(byNanoseconds: UTCInstant.nanosecondsPerDay))
    }
}

/// The beginning of a recording, which can have comments.
enum RecordingHead {
    /// File formats of Sextant's that `sextant decode` does not read: the bytes at the beginning, what the file is, and
    /// the command that reads it.
    private static let others: [(beginning: String, what: String, command: String)] = [
        ("SXFLT", "a flight recording, which sextantd --record wrote", "sextant replay"),
        ("time,latitude,longitude", "a table of fixes", "sextant track"),
        ("time,uuid,major,minor", "a table of advertisements", "sextant track --advertisements"),
        ("time,x,y,z", "a table of a compass's samples", "sextant compass calibrate"),
    ]

    /// Throws if the file has a format that a command other than `sextant decode` reads; the error names that command.
    static func check(_ file: borrowing InputFile) throws(CommandFailure) {
        let start = file.buffer[..<file.count]
        guard let other = others.first(where: { start.starts(with: $0.beginning.utf8) }) else { return }
        throw .data("\(file.name): is \(other.what); read it with: \(other.command) \(file.name)")
    }

    /// The date in a comment line `# Date: YYYY-MM-DD` at the beginning of a recording; gpsd's recordings also write it
    /// without zeros, as `2017-1-9`.
    static func date(of bytes: borrowing Span<UInt8>) -> CivilDate? {
        var start = 0
        while start < bytes.count, bytes[start] == 0x23 {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let line = String(decoding: (start..<end).map { bytes[$0] }, as: UTF8.self)
            let prefix = "# Date: "
            let parts = line.dropFirst(prefix.count).prefix { $0 == "-" || $0.isNumber }.split(separator: "-")
            if line.hasPrefix(prefix), parts.count == 3, let year = Int32(parts[0]), let month = UInt8(parts[1]),
                let day = UInt8(parts[2]), let date = CivilDate(year: year, month: month, day: day), date.isReceivable
            {
                return date
            }
            start = end + 1
        }
        return nil
    }
}
