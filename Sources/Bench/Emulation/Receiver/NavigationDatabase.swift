import SextantUnits

/// A running dump of the navigation database to the host: one MGA-DBD for each entry, then an MGA-ACK with the number
/// of entries.
struct DatabaseDump: Sendable {
    /// The index of the entry that is sent next.
    var next = 0
    let count: Int
    let stamp: DatabaseStamp
}

/// What this emulation writes into each entry of a navigation database dump: the receiver's serial number, the time at
/// which the ephemerides were received, and the entry's index.
///
/// The format of real entries is not public; only the receiver that made an entry can read it.
struct DatabaseStamp: Sendable, Hashable {
    /// The number of reserved bytes before the data of an entry.
    static let headerByteCount = 12
    /// The smallest size of an entry in bytes: the reserved bytes and the emulation's data after them.
    static let byteCount = headerByteCount + 12

    /// A number that differs from receiver to receiver, so that a receiver recognizes its own entries.
    var serial: UInt32
    /// The time at which the ephemerides were received, in seconds since 1970; 0 for a database without ephemerides.
    var ephemerisTime: UInt32
    var index: UInt16
    var count: UInt16

    /// Appends the payload of an entry, 50 to 90 bytes, to `payload`.
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

    /// Reads an entry's payload; nil if no emulated receiver can have made it.
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

/// A dump of the navigation database that the host sends back to the receiver, entry by entry.
struct DatabaseRestoration: Sendable {
    /// The share of all entries, 0 to 1, that the host must have sent back before the receiver can use the ephemerides.
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
