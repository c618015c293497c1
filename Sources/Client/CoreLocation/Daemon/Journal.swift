/// Orders that the daemon must not miss, kept until it has certainly read them.
///
/// Regions and other registrations outlive the connection, so they are not repeated when the connection comes back; an
/// order that was on its way when it broke must be. Each order can be given twice without harm. Bound: 256 KiB, which
/// is more than 1000 regions.
struct Journal {
    private static let limit = 262_144
    private var entries: [(sequence: Int, bytes: [UInt8])] = []
    private var size = 0
    private(set) var lastSequence = 0

    /// Adds an order; false where there is no room.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard size + bytes.count <= Self.limit else { return false }
        lastSequence += 1
        entries.append((lastSequence, bytes))
        size += bytes.count
        return true
    }

    /// Forgets the orders up to this sequence number, because the daemon has read them.
    mutating func confirm(_ sequence: Int) {
        let confirmed = entries.prefix { $0.sequence <= sequence }
        size -= confirmed.reduce(0) { $0 + $1.bytes.count }
        entries.removeFirst(confirmed.count)
    }

    var isEmpty: Bool { entries.isEmpty }

    var bytes: [UInt8] { entries.flatMap(\.bytes) }
}
