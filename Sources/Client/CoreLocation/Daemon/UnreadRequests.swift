/// Requests that must not be lost, kept until the daemon has certainly read them.
///
/// The daemon keeps regions and other registrations when the connection ends, so they are not requested again after a
/// reconnection. A request that was in transit when the connection broke must be sent again; a repeated request does no
/// harm. Bound: 256 KiB, which is more than 1000 regions.
struct UnreadRequests {
    private static let limit = 262_144
    private var entries: [(sequence: Int, bytes: [UInt8])] = []
    private var size = 0
    private(set) var lastSequence = 0

    /// Adds a request; false if there is no room.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard size + bytes.count <= Self.limit else { return false }
        lastSequence += 1
        entries.append((lastSequence, bytes))
        size += bytes.count
        return true
    }

    /// Removes the requests up to and including this sequence number, because the daemon has read them.
    mutating func confirm(_ sequence: Int) {
        let confirmed = entries.prefix { $0.sequence <= sequence }
        size -= confirmed.reduce(0) { $0 + $1.bytes.count }
        entries.removeFirst(confirmed.count)
    }

    var isEmpty: Bool { entries.isEmpty }

    var bytes: [UInt8] { entries.flatMap(\.bytes) }
}
