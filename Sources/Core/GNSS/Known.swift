/// A number that may not be known, in the room of a `Double`.
///
/// A fix has some forty of them and is copied once an epoch, and an optional takes twice the room. What is not known is
/// kept as not-a-number, which no receiver sends; a not-a-number that is put in comes out as nil.
@propertyWrapper
public struct Known: Sendable {
    @usableFromInline var stored: Double

    @inlinable @inline(__always)
    public init(wrappedValue: Double?) { stored = wrappedValue ?? .nan }

    public var wrappedValue: Double? {
        @inlinable @inline(__always) get { stored.isNaN ? nil : stored }
        @inlinable @inline(__always) set { stored = newValue ?? .nan }
    }
}

extension Known: Hashable {
    public static func == (left: Known, right: Known) -> Bool { left.wrappedValue == right.wrappedValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
