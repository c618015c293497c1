/// The set of bytes that end a line.
public struct LineSeparators: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let newline = LineSeparators(rawValue: 1)
    public static let semicolon = LineSeparators(rawValue: 2)

    func contains(byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") && contains(.newline) || byte == UInt8(ascii: ";") && contains(.semicolon)
    }
}

/// An event in a stream of bytes: a line, or a line that is too long.
public enum LineEvent: Sendable, Equatable {
    /// A line without its separator and without a carriage return before the separator; never empty.
    case line
    /// A line that is longer than the limit; its bytes are skipped, and this event reports the line once, without
    /// bytes.
    case tooLong
}

/// Cuts a stream of bytes into lines of bounded length.
///
/// A line that arrives in one piece is passed on without a copy; only a line that is split across inputs is copied.
public struct LineAssembler: Sendable {
    private let separators: LineSeparators
    private let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false

    /// Makes an assembler of lines of at most `limit` bytes, separators and carriage return not counted.
    public init(separators: LineSeparators, limit: Int) {
        self.separators = separators
        self.limit = limit
    }

    /// Takes the next bytes of the stream, and passes each line that they complete to `deliver`; a line's bytes are
    /// valid only during that call.
    public mutating func push(_ bytes: Span<UInt8>, deliver: (LineEvent, Span<UInt8>) -> Void) {
        var start = 0
        for index in bytes.indices where separators.contains(byte: bytes[index]) {
            finish(bytes.extracting(start..<index), deliver: deliver)
            start = index + 1
        }
        keep(bytes.extracting(start..<bytes.count), deliver: deliver)
    }

    /// The index after the first separator at or after `start`; `bytes.count` if there is no separator.
    func end(ofLineIn bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            index += 1
            if separators.contains(byte: bytes[index - 1]) { return index }
        }
        return index
    }

    private mutating func finish(_ end: Span<UInt8>, deliver: (LineEvent, Span<UInt8>) -> Void) {
        if isSkipping {
            isSkipping = false
        } else if partial.isEmpty {
            emit(end, deliver: deliver)
        } else {
            append(end)
            // `partial` is emptied only after `deliver` has returned, so that no exclusive access to `partial` is open
            // while `deliver` runs.
            emit(partial.span, deliver: deliver)
            partial.removeAll(keepingCapacity: true)
        }
    }

    private func emit(_ line: Span<UInt8>, deliver: (LineEvent, Span<UInt8>) -> Void) {
        var count = line.count
        if count > 0, line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        if count > limit { return deliver(.tooLong, Span()) }
        if count > 0 { deliver(.line, line.extracting(0..<count)) }
    }

    private mutating func keep(_ rest: Span<UInt8>, deliver: (LineEvent, Span<UInt8>) -> Void) {
        guard !isSkipping else { return }
        // One byte more than the limit is kept, since the last byte can be a carriage return, which does not count.
        guard partial.count + rest.count <= limit + 1 else {
            isSkipping = true
            partial.removeAll(keepingCapacity: true)
            return deliver(.tooLong, Span())
        }
        append(rest)
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { partial.append(bytes[index]) }
    }
}
