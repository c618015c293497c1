public import Units

/// A region to watch.
public struct MonitoredRegion: Sendable, Hashable {
    public var shape: RegionShape
    /// Seconds of staying inside after which it is reported once a stay; nil where nobody asked.
    public var dwell: Double?
    /// Metres past the border below which leaving is no exit; 0 for as little as the accuracy allows.
    public var cushion: Double
    /// How it stood when it was last watched; nil where it is not known.
    public var standing: RegionStanding?

    public init(_ shape: RegionShape, dwell: Double? = nil, cushion: Double = 0, standing: RegionStanding? = nil) {
        self.shape = shape
        self.dwell = dwell
        self.cushion = cushion
        self.standing = standing
    }
}

/// How the board stands to a region: what must outlive a restart.
///
/// The record, little-endian: version (1 byte: 1), bits (1; 1: inside, 2: its dwell was reported), since when (8; UTC,
/// nanoseconds since 1970).
public struct RegionStanding: Sendable, Hashable {
    public var isInside: Bool
    /// The crossing, or the first fix, by which it came to be so.
    public var since: MonotonicInstant
    /// Whether the dwell of this stay was reported.
    public var hasDwelled: Bool

    public static let byteCount = 10
    private static let version: UInt8 = 1

    public init(isInside: Bool, since: MonotonicInstant, hasDwelled: Bool = false) {
        self.isInside = isInside
        self.since = since
        self.hasDwelled = hasDwelled
    }

    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC.
    public func encode(offset: Int64) -> [UInt8] {
        var record = RecordWriter()
        record.write(RegionStanding.version)
        record.write((isInside ? 1 : 0) | (hasDwelled ? 2 : 0) as UInt8)
        record.write(since.nanoseconds &+ offset)
        return record.bytes
    }

    /// Reads a record; nil where it is none of this version, or damaged.
    ///
    /// - Parameter offset: Nanoseconds to add to this boot's instants to make UTC.
    public static func decode(_ bytes: Span<UInt8>, offset: Int64) -> RegionStanding? {
        guard bytes.count == byteCount else { return nil }
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let bits = record.integer(UInt8.self), bits < 4,
            let since = record.integer(Int64.self)
        else { return nil }
        return RegionStanding(
            isInside: bits & 1 != 0, since: MonotonicInstant(nanoseconds: since &- offset), hasDwelled: bits & 2 != 0)
    }
}

/// The number of a region in its monitor, until it is removed.
public struct RegionSlot: Sendable, Hashable {
    public let index: Int32

    init(_ index: Int32) { self.index = index }
    init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }

    var place: Int { Int(index) }
}
