/// A dump of the navigation database that is under way: MGA-DBD, entry by entry, and an MGA-ACK with their number.
struct DatabaseDump: Sendable {
    /// Of the entry that comes next.
    var next = 0
    let count: Int
    let stamp: DatabaseStamp
}

/// What the first entries of a dump say in this emulation's own way: whose database it is, and how old.
///
/// The format of the real ones is not public; only the receiver that made them reads it.
struct DatabaseStamp: Sendable, Hashable {
    /// Reserved bytes before the data.
    static let headerByteCount = 12
    /// Of reserved bytes and stamp.
    static let byteCount = headerByteCount + 12

    /// Of one receiver alone.
    var serial: UInt32
    /// Seconds since 1970; 0 for a database without ephemerides.
    var ephemerisTime: UInt32
    var index: UInt16
    var count: UInt16

    /// The payload of an entry: 50 to 90 bytes.
    func appendPayload(to payload: inout [UInt8]) {
        payload.append(contentsOf: [UInt8](repeating: 0, count: DatabaseStamp.headerByteCount))
        for shift in stride(from: 0, to: 32, by: 8) { payload.append(UInt8(truncatingIfNeeded: serial >> shift)) }
        for shift in stride(from: 0, to: 32, by: 8) {
            payload.append(UInt8(truncatingIfNeeded: ephemerisTime >> shift))
        }
        for value in [index, count] {
            payload.append(UInt8(truncatingIfNeeded: value))
            payload.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        var filler = SplitMix64(seed: UInt64(serial) << 16 | UInt64(index))
        let length = 50 + Int(filler.next() % 41)
        while payload.count < length { payload.append(UInt8(truncatingIfNeeded: filler.next())) }
    }

    init(serial: UInt32, ephemerisTime: UInt32, index: UInt16, count: UInt16) {
        self.serial = serial
        self.ephemerisTime = ephemerisTime
        self.index = index
        self.count = count
    }

    /// Nil for a payload that no emulated receiver has made.
    init?(payload: ArraySlice<UInt8>) {
        guard payload.count >= DatabaseStamp.byteCount else { return nil }
        let bytes = Array(payload.dropFirst(DatabaseStamp.headerByteCount))
        func number(_ offset: Int, _ count: Int) -> UInt32 {
            (0..<count).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        serial = number(0, 4)
        ephemerisTime = number(4, 4)
        index = UInt16(number(8, 2))
        count = UInt16(number(10, 2))
        guard index < count else { return nil }
    }
}

/// A dump that comes back, entry by entry.
struct DatabaseRestoration: Sendable {
    /// Of all entries, so many must come back for the ephemerides to be of use.
    private static let usefulShare = 0.9

    let serial: UInt32
    let ephemerisTime: UInt32
    let count: UInt16
    private var seen: Set<UInt16> = []

    init(_ stamp: DatabaseStamp) {
        serial = stamp.serial
        ephemerisTime = stamp.ephemerisTime
        count = stamp.count
    }

    func isSameDump(_ stamp: DatabaseStamp) -> Bool {
        stamp.serial == serial && stamp.ephemerisTime == ephemerisTime && stamp.count == count
    }

    mutating func take(_ stamp: DatabaseStamp) { seen.insert(stamp.index) }

    var isUseful: Bool {
        ephemerisTime > 0 && Double(seen.count) >= Double(count) * DatabaseRestoration.usefulShare
    }
}
