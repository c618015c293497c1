/// The fields of a record (a stored value), which are written or read one after the other, little-endian.
///
/// A type lists its fields once, in `Recorded.code`: the same calls write the value as a record, or read the record
/// into the value.
public struct RecordFields {
    fileprivate private(set) var bytes: [UInt8] = []
    /// The index in `bytes` of the next field to read; nil while a record is being written.
    private var position: Int?

    fileprivate init() {}

    fileprivate init(reading span: Span<UInt8>) {
        bytes.reserveCapacity(span.count)
        for index in span.indices { bytes.append(span[index]) }
        position = 0
    }

    /// How many bytes are left to read; 0 while a record is being written.
    fileprivate var left: Int { position.map { bytes.count - $0 } ?? 0 }

    /// Whether the record has another field: when reading, whether bytes are left; when writing, `isThere`.
    public func hasMore(_ isThere: Bool) -> Bool { position == nil ? isThere : left > 0 }

    /// Throws if a record is being read and the condition is false; does nothing while a record is being written.
    public func check(_ isPossible: @autoclosure () -> Bool) throws(DamagedRecord) {
        if position != nil, !isPossible() { throw DamagedRecord() }
    }

    /// `count` bytes that are stored as they are.
    public mutating func code(raw value: inout [UInt8], count: Int) throws(DamagedRecord) {
        guard let position else { return bytes += value }
        guard count <= left else { throw DamagedRecord() }
        value = Array(bytes[position..<(position + count)])
        self.position = position + count
    }

    /// All bytes from here to the record's end.
    public mutating func code(rest value: inout [UInt8]) throws(DamagedRecord) { try code(raw: &value, count: left) }

    public mutating func code<Value: FixedWidthInteger>(_ value: inout Value) throws(DamagedRecord) {
        let size = Value.bitWidth / 8
        guard let position else {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
            return
        }
        guard size <= left else { throw DamagedRecord() }
        value = bytes[position..<(position + size)].reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        self.position = position + size
    }

    /// A number as the 8 bytes of IEEE 754; reading throws where the number is outside `range` or, if there is a range,
    /// NaN.
    public mutating func code(_ value: inout Double, in range: ClosedRange<Double>? = nil) throws(DamagedRecord) {
        var bits = value.bitPattern
        try code(&bits)
        value = Double(bitPattern: bits)
        let read = value
        if let range { try check(range.contains(read)) }
    }

    /// A text: its length in 2 bytes, then its UTF-8, at most 65 535 bytes.
    public mutating func code(_ text: inout String) throws(DamagedRecord) {
        try code(&text, count: UInt16.self)
    }

    /// A text: its length as an integer of the type `count`, then its UTF-8.
    public mutating func code<Count: FixedWidthInteger>(
        _ text: inout String, count: Count.Type
    ) throws(DamagedRecord) {
        var units = Array(text.utf8)
        try code(block: &units, count: count)
        guard let read = String(validating: units, as: UTF8.self) else { throw DamagedRecord() }
        text = read
    }

    /// A block of bytes: their number, as an integer of the type `count`, then the bytes.
    public mutating func code<Count: FixedWidthInteger>(
        block value: inout [UInt8], count: Count.Type
    ) throws(DamagedRecord) {
        precondition(value.count <= Int(clamping: Count.max), "a record has no room for so long a text")
        var number = Count(value.count)
        try code(&number)
        try code(raw: &value, count: Int(clamping: number))
    }
}

/// The error of reading a record that has another version than expected or is damaged.
public struct DamagedRecord: Error {
    public init() {}
}

/// A type whose values are stored as records.
public protocol Recorded {
    /// An empty value, into which `decode` reads a record.
    static var blank: Self { get }

    /// Writes this value's fields to the record, or reads them from it.
    mutating func code(_ record: inout RecordFields) throws(DamagedRecord)
}

extension Recorded {
    public func encode() -> [UInt8] {
        var (value, record) = (self, RecordFields())
        // Only reading can fail.
        try? value.code(&record)
        return record.bytes
    }

    /// The value that a record holds; nil where the record has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> Self? {
        var value = blank
        return value.read(bytes) ? value : nil
    }

    /// Reads a record into this value; returns false where the record has another version or is damaged, and the value
    /// must not be used then.
    public mutating func read(_ bytes: Span<UInt8>) -> Bool {
        var record = RecordFields(reading: bytes)
        return (try? code(&record)) != nil && record.left == 0
    }
}

// MARK: Fields of other kinds

extension RecordFields {
    /// The record's version, in one byte; reading throws where the version is not the expected one.
    public mutating func version(_ expected: UInt8) throws(DamagedRecord) {
        var version = expected
        try code(&version)
        try check(version == expected)
    }

    /// The record's version, in one byte: `latest` when writing; when reading, any from 1 to `latest` is accepted and
    /// returned.
    public mutating func version(upTo latest: UInt8) throws(DamagedRecord) -> UInt8 {
        var version = latest
        try code(&version)
        try check(1...latest ~= version)
        return version
    }

    /// A flag, stored as a byte that is 0 or 1.
    public mutating func code(_ flag: inout Bool) throws(DamagedRecord) {
        var byte: UInt8 = flag ? 1 : 0
        try code(&byte)
        try check(byte <= 1)
        flag = byte != 0
    }

    /// Several flags as bits of one byte, the first flag in the lowest bit; the other bits are 0.
    public mutating func code<let count: Int>(_ flags: inout InlineArray<count, Bool>) throws(DamagedRecord) {
        var bits: UInt8 = 0
        for index in flags.indices where flags[index] { bits |= 1 << UInt8(index) }
        try code(&bits)
        try check(Int(bits) < 1 << count)
        for index in flags.indices { flags[index] = bits & 1 << UInt8(index) != 0 }
    }

    /// An enumeration case, as one byte with its index in `allCases`.
    public mutating func code<Value: CaseIterable & Equatable>(
        index value: inout Value
    ) throws(DamagedRecord) where Value.AllCases == [Value] {
        var index = UInt8(Value.allCases.firstIndex(of: value) ?? 0)
        try code(&index)
        try check(index < Value.allCases.count)
        value = Value.allCases[Int(index)]
    }

    /// A number, stored as another integer type and clamped to the range of that type.
    public mutating func code<Value: FixedWidthInteger, Stored: FixedWidthInteger>(
        _ value: inout Value, as type: Stored.Type
    ) throws(DamagedRecord) {
        var stored = Stored(clamping: value)
        try code(&stored)
        value = Value(clamping: stored)
    }

    /// The CRC-32 of all preceding bytes of the record.
    public mutating func codeCheck() throws(DamagedRecord) {
        let right = CRC32.of(bytes.span.extracting(0..<(position ?? bytes.count)))
        var found = right
        try code(&found)
        try check(found == right)
    }

    /// An enumeration case, as its raw value.
    public mutating func code<Value: RawRepresentable>(
        _ value: inout Value
    ) throws(DamagedRecord) where Value.RawValue: FixedWidthInteger {
        var code = value.rawValue
        try self.code(&code)
        guard let read = Value(rawValue: code) else { throw DamagedRecord() }
        value = read
    }

    /// A text or nil; nil is stored as an empty text.
    public mutating func code(_ text: inout String?) throws(DamagedRecord) {
        var known = text ?? ""
        try code(&known)
        text = known.isEmpty ? nil : known
    }

    /// A number or nil, where the number `none` stands for nil.
    public mutating func code<Value: FixedWidthInteger>(_ value: inout Value?, nilIs none: Value) throws(DamagedRecord)
    {
        var known = value ?? none
        try code(&known)
        value = known == none ? nil : known
    }

    /// A time in nanoseconds since 1970; the smallest possible number stands for nil.
    public mutating func code(_ time: inout UTCInstant?) throws(DamagedRecord) {
        var nanoseconds = time?.nanoseconds
        try code(&nanoseconds, nilIs: .min)
        time = nanoseconds.map { UTCInstant(nanoseconds: $0) }
    }

    /// The latitude and longitude of a place, in degrees.
    public mutating func code(latitude: inout Double, longitude: inout Double) throws(DamagedRecord) {
        try code(&latitude, in: -90...90)
        try code(&longitude, in: -180...180)
    }

    /// A length: a number that must be finite and not negative.
    public mutating func code(length: inout Double) throws(DamagedRecord) {
        try code(&length, in: 0 ... .greatestFiniteMagnitude)
    }

    /// A value that is in the record only where `isThere` is true.
    public mutating func code<Value: Recorded>(_ value: inout Value?, where isThere: Bool) throws(DamagedRecord) {
        var known = value ?? .blank
        if isThere { try known.code(&self) }
        value = isThere ? known : nil
    }

    /// A list: the number of its values, as an integer of the type `count`, then the values.
    public mutating func code<Value: Recorded, Count: FixedWidthInteger>(
        _ values: inout [Value], count: Count.Type
    ) throws(DamagedRecord) {
        try code(&values, count: count, blank: .blank) { (value, record) throws(DamagedRecord) in
            try value.code(&record)
        }
    }

    /// A list: the number of its values, then the fields of each value, which the closure `code` writes or reads.
    public mutating func code<Value, Count: FixedWidthInteger>(
        _ values: inout [Value], count: Count.Type, blank: Value,
        _ code: (inout Value, inout RecordFields) throws(DamagedRecord) -> Void
    ) throws(DamagedRecord) {
        var number = Count(clamping: values.count)
        try self.code(&number)
        for index in 0..<Int(clamping: number) {
            if index == values.count { values.append(blank) }
            try code(&values[index], &self)
        }
    }
}

/// A time in nanoseconds since 1970.
extension UTCInstant: Recorded {
    public static var blank: UTCInstant { UTCInstant(nanoseconds: 0) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var count = nanoseconds
        try record.code(&count)
        self = UTCInstant(nanoseconds: count)
    }
}

/// A time in nanoseconds since boot.
extension MonotonicInstant: Recorded {
    public static var blank: MonotonicInstant { .zero }
    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) { try record.code(&nanoseconds) }
}

extension String: Recorded {
    public static var blank: String { "" }
    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) { try record.code(&self) }
}

extension UInt32: Recorded {
    public static var blank: UInt32 { 0 }
    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) { try record.code(&self) }
}

extension Double: Recorded {
    public static var blank: Double { 0 }
    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) { try record.code(&self) }
}

extension SIMD3<Double>: Recorded {
    public static var blank: SIMD3<Double> { .zero }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        for axis in 0..<3 { try record.code(&self[axis]) }
    }
}
