/// A growing buffer into which text is written; it is reused, so that steady writing allocates nothing.
///
/// It grows by doubling and never shrinks, and its one owner frees it. The small operations are inlinable, because
/// writing a report takes thousands of them: an appended literal then becomes a few stores in the module that writes
/// it.
@safe public struct TextBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var end = 0

    public init(capacity: Int = 4096) {
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity)
    }

    deinit { unsafe base.deallocate() }

    /// The number of bytes written.
    @inlinable public var count: Int { end }

    /// Removes all bytes, but keeps the memory for further text.
    @inlinable
    public mutating func removeAll() { end = 0 }

    /// Removes all bytes after the first `count`.
    @inlinable
    public mutating func truncate(to count: Int) {
        precondition(count <= end)
        end = count
    }

    /// Lends the bytes of `range` to `body`, which must not keep them.
    @inlinable
    public borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= end)
        // Safety: the range lies within the written bytes, and `self` is borrowed for as long as `body` runs.
        let bytes = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
        return try body(unsafe bytes.span)
    }

    /// Lends all bytes to `body`, which must not keep them.
    @inlinable
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(0..<end, body)
    }

    /// A copy of the whole text.
    public var string: String { string(0..<end) }

    /// A copy of the bytes of the whole text.
    public var bytes: [UInt8] { bytes(0..<end) }

    /// A copy of the text in `range`, which is in bytes.
    public borrowing func string(_ range: Range<Int>) -> String { String(decoding: bytes(range), as: UTF8.self) }

    /// A copy of the bytes in `range`.
    public borrowing func bytes(_ range: Range<Int>) -> [UInt8] {
        withBytes(range) { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// The last byte that was written; the buffer must not be empty.
    @inlinable
    var lastByte: UInt8 {
        precondition(end > 0)
        // Safety: `end` is above 0, so the index is that of a written byte.
        return unsafe base[end - 1]
    }

    /// Makes sure that `extra` more bytes can be appended.
    @inlinable @inline(__always)
    public mutating func reserve(_ extra: Int) {
        if capacity &- end < extra { grow(extra) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, end + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        // Safety: the old and the new memory have room for at least `end` bytes and do not overlap.
        unsafe moved.update(from: base, count: end)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }
}

extension TextBuffer {
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        // Safety: room for one more byte was reserved.
        unsafe base[end] = byte
        end &+= 1
    }

    /// Appends a literal.
    @inlinable @inline(__always)
    public mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        // Safety: a literal's bytes are never freed, and room for them was reserved.
        unsafe (base + end).update(from: text.utf8Start, count: length)
        end &+= length
    }

    /// Appends a JSON key with its quotes and its colon.
    @inlinable @inline(__always)
    public mutating func append(key: StaticString) {
        let length = key.utf8CodeUnitCount
        reserve(length + 3)
        // Safety: a literal's bytes are never freed, and room for them and for two quotes and a colon was reserved.
        unsafe base[end] = 0x22
        unsafe (base + end + 1).update(from: key.utf8Start, count: length)
        unsafe base[end + length + 1] = 0x22
        unsafe base[end + length + 2] = 0x3A
        end &+= length + 3
    }

    public mutating func append(_ bytes: borrowing Span<UInt8>) {
        let length = bytes.count
        reserve(length)
        let target = unsafe base + end
        unsafe bytes.withUnsafeBufferPointer { source in
            // Safety: room for the bytes was reserved, and this buffer cannot be borrowed elsewhere while it is being
            // written.
            guard let from = source.baseAddress else { return }
            unsafe target.update(from: from, count: length)
        }
        end &+= length
    }

    public mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
