public import NMEA0183
internal import UBX

/// Finds the messages of NMEA 0183 and UBX in one byte stream that comes in pieces of any size, with foreign bytes
/// between.
///
/// A window of fixed size holds the bytes that have arrived and are not yet decoded. At each byte that can begin a
/// message, the framing of that protocol checks the window: a complete message with a correct checksum is lent to the
/// caller, and after a mismatch the search goes on at the next byte. A damaged or foreign frame therefore costs only
/// itself, and an endless stream costs constant memory.
///
/// Call `append`, then `next` until it returns nil, and repeat until all bytes are taken.
public struct ReceiverStream: Sendable {
    /// The kind of message that lies in `window` at `range`.
    public enum Message: Sendable, Equatable {
        /// A checked sentence, `$` to checksum; its fields are in `fields`.
        case sentence
        /// A checked UBX frame, sync to checksum.
        case frame
    }

    /// Counts of the bytes and messages so far; they never decrease.
    public struct Counters: Sendable, Equatable {
        public var bytes: UInt64 = 0
        public var sentences: UInt64 = 0
        public var frames: UInt64 = 0
        /// Messages of the right shape whose checksum was wrong.
        public var checksumFailures: UInt64 = 0
        /// Bytes that belong to no message; the line ends between sentences are not counted.
        public var skippedBytes: UInt64 = 0

        public init() {}
    }

    public private(set) var counters = Counters()
    /// The fields of the sentence that the last call of `next` found.
    public private(set) var fields = NMEAFields()
    /// The place in `window` of the message that `next` found last.
    public private(set) var range = 0..<0
    /// The bytes that have arrived; callers must use only the bytes in `range`.
    public private(set) var window: [UInt8]
    private var start = 0
    private var end = 0

    /// Room for the longest message, with its header and checksum, and for bytes after it.
    private static let capacity = UBXFraming.maximumPayload + 4096

    public init() {
        window = [UInt8](repeating: 0, count: ReceiverStream.capacity)
    }

    /// Whether undecoded bytes are left, which can be the beginning of a message.
    public var hasPartialMessage: Bool { start < end }

    /// Takes as many bytes as there is room for.
    ///
    /// - Returns: How many bytes were taken: all of them if `next` was called before until it returned nil.
    public mutating func append(_ bytes: borrowing Span<UInt8>) -> Int {
        makeRoom()
        let count = min(bytes.count, window.count - end)
        let destination = end
        unsafe bytes.extracting(first: count).withUnsafeBufferPointer { source in
            unsafe window.withUnsafeMutableBufferPointer { target in
                // Safety: `count` fits after `destination` by the line above, and the two never overlap.
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                unsafe (to + destination).update(from: from, count: count)
            }
        }
        end += count
        counters.bytes += UInt64(count)
        return count
    }

    /// The next whole message, or nil when more bytes are needed.
    @inline(__always)
    public mutating func next() -> Message? {
        while start < end {
            switch window[start] {
            case 0x24, 0x21:
                switch ReceiverStream.match(window, start..<end, fields: &fields) {
                case .sentence(let length):
                    counters.sentences &+= 1
                    take(length)
                    skipLineEnd()
                    return .sentence
                case .incomplete: return nil
                case .badChecksum: countDamage()
                case .mismatch: skipByte()
                }
            case UBXFraming.sync1:
                switch UBXFraming.match(window.span.extracting(start..<end)) {
                case .frame(let length):
                    counters.frames &+= 1
                    take(length)
                    return .frame
                case .incomplete: return nil
                case .badChecksum: countDamage()
                case .mismatch: skipByte()
                }
            case 0x0D, 0x0A: start &+= 1
            default: skipByte()
            }
        }
        return nil
    }

    /// Gives up the message that was begun, because no more of it will come: a silence, the end of a file.
    ///
    /// `next` then searches the bytes after the message's first one again.
    public mutating func abandonPartialMessage() {
        guard start < end else { return }
        skipByte()
    }

    /// Looks for a sentence; it is static, so that `window` can be borrowed while `fields` is changed.
    @inline(__always)
    private static func match(
        _ window: borrowing [UInt8], _ range: Range<Int>, fields: inout NMEAFields
    ) -> NMEAFraming.Match {
        NMEAFraming.match(window.span.extracting(range), fields: &fields)
    }

    @inline(__always)
    private mutating func take(_ length: Int) {
        range = start..<start &+ length
        start &+= length
    }

    /// Passes over the line end that follows nearly every sentence, to save a pass of the loop.
    @inline(__always)
    private mutating func skipLineEnd() {
        if end &- start >= 2, window[start] == 0x0D, window[start &+ 1] == 0x0A { start &+= 2 }
    }

    private mutating func countDamage() {
        counters.checksumFailures &+= 1
        skipByte()
    }

    @inline(__always)
    private mutating func skipByte() {
        start &+= 1
        counters.skippedBytes &+= 1
    }

    private mutating func makeRoom() {
        guard start > 0 else { return }
        let (from, count) = (start, end - start)
        if count > 0 {
            unsafe window.withUnsafeMutableBufferPointer { buffer in
                // Safety: both ranges lie in the buffer; update(from:) allows overlap as memmove does.
                guard let base = buffer.baseAddress else { return }
                unsafe base.update(from: base + from, count: count)
            }
        }
        start = 0
        end = count
    }
}
