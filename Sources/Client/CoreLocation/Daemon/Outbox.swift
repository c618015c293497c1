/// What waits for the thread that writes.
///
/// Bound: 64 KiB. A daemon that reads nothing fills it; then the connection starts afresh, and everything that stands is
/// said again.
struct Outbox {
    private static let limit = 65_536
    private var bytes: [UInt8] = []
    private var isOverfull = false

    var isEmpty: Bool { bytes.isEmpty && !isOverfull }

    mutating func append(_ more: [UInt8]) {
        guard bytes.count + more.count <= Self.limit else {
            isOverfull = true
            return
        }
        bytes.append(contentsOf: more)
    }

    /// What waits; nil once, if some of it had no room.
    mutating func take() -> [UInt8]? {
        defer { clear() }
        return isOverfull ? nil : bytes
    }

    mutating func clear() {
        bytes = []
        isOverfull = false
    }
}
