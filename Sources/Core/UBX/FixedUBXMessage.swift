/// A message of a fixed length, whose fields the function `code` lists once, for reading as well as for writing.
protocol FixedUBXMessage: UBXMessage {
    static var byteCount: Int { get }

    init()

    /// Reads every field from `payload`, or writes every field to `payload`, in the order of the u-blox document.
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload)

    /// Throws where a field that was read is outside the range in the u-blox document.
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError)
}

extension FixedUBXMessage {
    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) {}

    @inline(__always)
    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        self.init()
        var reader = UBXPayloadReader(payload)
        code(&reader)
        try check(payload)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        var message = self
        message.code(&bytes)
    }
}

/// A payload whose fields are read one after the other, or written one after the other.
protocol UBXPayload: ~Copyable, ~Escapable {
    @_lifetime(self: copy self)
    mutating func field<Value: FixedWidthInteger & BitwiseCopyable>(_ value: inout Value)

    /// Reserved bytes; reading skips them, and they are written as 0.
    @_lifetime(self: copy self)
    mutating func reserved(_ count: Int)
}

extension UBXPayload where Self: ~Copyable, Self: ~Escapable {
    /// A field whose numbers have names (an enum); a number without a name is read as `other`.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func field<Value: RawRepresentable>(_ value: inout Value, or other: Value)
    where Value.RawValue: FixedWidthInteger & BitwiseCopyable {
        var number = value.rawValue
        field(&number)
        value = Value(rawValue: number) ?? other
    }

    /// A date and a time of day as six fields, year to second, in the order that all UBX messages have.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func calendar(
        _ year: inout UInt16, _ month: inout UInt8, _ day: inout UInt8, _ hour: inout UInt8, _ minute: inout UInt8,
        _ second: inout UInt8
    ) {
        field(&year)
        field(&month)
        field(&day)
        field(&hour)
        field(&minute)
        field(&second)
    }
}

/// Reads a payload whose length was checked.
struct UBXPayloadReader: UBXPayload, ~Copyable, ~Escapable {
    private let payload: Span<UInt8>
    private var offset = 0

    @inline(__always)
    @_lifetime(borrow payload)
    init(_ payload: borrowing Span<UInt8>) { self.payload = payload.extracting(...) }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func field<Value: FixedWidthInteger & BitwiseCopyable>(_ value: inout Value) {
        // Safety: the load checks its bounds, and every bit pattern is an integer.
        value = Value(littleEndian: unsafe payload.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
        offset &+= Value.bitWidth / 8
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func reserved(_ count: Int) { offset &+= count }
}

extension [UInt8]: UBXPayload {
    @inline(__always)
    mutating func field<Value: FixedWidthInteger & BitwiseCopyable>(_ value: inout Value) {
        append(littleEndian: value)
    }

    mutating func reserved(_ count: Int) { append(reserved: count) }
}
