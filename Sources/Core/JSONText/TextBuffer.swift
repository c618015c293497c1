public import Units

/// A growing run of bytes that text is written into, kept and reused so that a steady stream allocates nothing.
///
/// It grows by doubling and never shrinks. Its one owner frees it.
@safe public struct TextBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes have been written.
    public private(set) var count = 0

    public init(capacity: Int = 4096) {
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Forgets what was written.
    @inline(__always)
    public mutating func removeAll() { count = 0 }

    /// Forgets what was written after the first `count` bytes.
    public mutating func truncate(to count: Int) {
        precondition(count <= self.count)
        self.count = count
    }

    /// Lends the bytes of `range`; they must not outlive `body`.
    @inline(__always)
    public borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // Safety: the range lies in what was written, and `self` is borrowed for as long as `body` runs.
        let bytes = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
        return try body(unsafe bytes.span)
    }

    /// Lends all bytes; they must not outlive `body`.
    @inline(__always)
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(0..<count, body)
    }

    /// The last byte written; there must be one.
    @inline(__always)
    var lastByte: UInt8 {
        precondition(count > 0)
        // Safety: the index is below `count`.
        return unsafe base[count - 1]
    }

    /// Makes room for `extra` more bytes.
    @inline(__always)
    public mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
    }

    private mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        // Safety: both hold at least `count` bytes and do not overlap.
        unsafe moved.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }
}

extension TextBuffer {
    @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        // Safety: there is room for one more.
        unsafe base[count] = byte
        count &+= 1
    }

    /// Appends a literal.
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        // Safety: a literal's bytes live for ever, and there is room for them.
        unsafe (base + count).update(from: text.utf8Start, count: length)
        count &+= length
    }

    @inline(__always)
    public mutating func append(_ bytes: borrowing Span<UInt8>) {
        let length = bytes.count
        reserve(length)
        let target = unsafe base + count
        unsafe bytes.withUnsafeBufferPointer { source in
            // Safety: there is room, and nobody else lends this buffer while it is being written.
            guard let from = source.baseAddress else { return }
            unsafe target.update(from: from, count: length)
        }
        count &+= length
    }

    public mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    /// Appends a number with a fixed count of decimals, rounded half away from zero.
    ///
    /// - Returns: False, and nothing appended, where it is not finite or has no room in 64 bits.
    @inline(__always)
    @discardableResult
    public mutating func append(_ value: Double, decimals: Int) -> Bool {
        let scaled = (value * TextBuffer.powers[decimals]).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e18 else { return false }
        append(Int64(scaled), decimals: decimals)
        return true
    }

    /// Appends an integer divided by ten to the `decimals`.
    @inline(__always)
    public mutating func append(_ units: Int64, decimals: Int) {
        reserve(24)
        var rest = units.magnitude
        if units < 0 {
            unsafe base[count] = 0x2D
            count &+= 1
        }
        var digits = TextBuffer.digitCount(rest)
        if digits <= decimals { digits = decimals &+ 1 }
        let length = digits &+ (decimals > 0 ? 1 : 0)
        var place = count &+ length
        count = place
        // Safety: `length` is at most 21, and 24 bytes were reserved.
        var decimal = 0
        while decimal < decimals {
            place &-= 1
            unsafe base[place] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
            decimal &+= 1
        }
        if decimals > 0 {
            place &-= 1
            unsafe base[place] = 0x2E
        }
        repeat {
            place &-= 1
            unsafe base[place] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        } while rest != 0
    }

    @inline(__always)
    public mutating func append(number value: Int) { append(Int64(value), decimals: 0) }

    /// Appends a whole number with leading zeros, `width` digits wide.
    @inline(__always)
    public mutating func append(_ value: Int, width: Int) {
        reserve(width)
        var rest = value
        var place = count &+ width
        count = place
        for _ in 0..<width {
            place &-= 1
            // Safety: `width` bytes were reserved.
            unsafe base[place] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
    }

    /// Appends an instant as ISO 8601 in UTC with milliseconds: `2026-11-20T12:34:56.789Z`.
    @inline(__always)
    public mutating func append(_ instant: UTCInstant) {
        let rounded = instant.roundedToMillisecond
        let date = rounded.date
        let milliseconds = Int(rounded.timeOfDay / 1_000_000)
        append(Int(date.year), width: 4)
        append(0x2D)
        append(Int(date.month), width: 2)
        append(0x2D)
        append(Int(date.day), width: 2)
        append(0x54)
        append(milliseconds / 3_600_000, width: 2)
        append(0x3A)
        append(milliseconds / 60_000 % 60, width: 2)
        append(0x3A)
        append(milliseconds / 1000 % 60, width: 2)
        append(0x2E)
        append(milliseconds % 1000, width: 3)
        append(0x5A)
    }

    @inline(__always)
    private static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var limit: UInt64 = 10
        while count < 19, value >= limit {
            count &+= 1
            limit &*= 10
        }
        return value >= 10_000_000_000_000_000_000 ? 20 : count
    }

    private static let powers: InlineArray<13, Double> = [
        1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    ]
}
