/// An optional number that takes no more space than a `Double`.
///
/// A fix has some forty of them and is copied once an epoch, and an optional takes twice the space. An unknown number
/// is stored as NaN, which no receiver sends; a NaN that is assigned reads back as nil.
@propertyWrapper
public struct CompactOptional: Sendable {
    @usableFromInline var stored: Double

    @inlinable @inline(__always)
    public init(wrappedValue: Double?) { stored = wrappedValue ?? .nan }

    public var wrappedValue: Double? {
        @inlinable @inline(__always) get { stored.isNaN ? nil : stored }
        @inlinable @inline(__always) set { stored = newValue ?? .nan }
    }
}

extension CompactOptional: Hashable {
    public static func == (left: CompactOptional, right: CompactOptional) -> Bool {
        left.wrappedValue == right.wrappedValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
