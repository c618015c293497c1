/// The bytes of requests that wait for the thread that writes to the daemon.
///
/// Bound: 64 KiB, not counting the requests that must not be lost, which have a bound of their own. If the daemon does
/// not read, the limit is reached; then the connection is made anew, and all requests that the program has not ended
/// are sent again.
struct UnsentBytes {
    private static let limit = 65_536
    private var bytes: [UInt8] = []
    private var orders = 0
    private var isOverfull = false

    var isEmpty: Bool { bytes.isEmpty && !isOverfull }

    mutating func append(_ more: [UInt8]) {
        guard bytes.count - orders + more.count <= Self.limit else {
            isOverfull = true
            return
        }
        bytes.append(contentsOf: more)
    }

    mutating func append(orders more: [UInt8]) {
        bytes.append(contentsOf: more)
        orders += more.count
    }

    /// Removes and returns the waiting bytes; nil if bytes were dropped for lack of room since the last call.
    mutating func take() -> [UInt8]? {
        defer { clear() }
        return isOverfull ? nil : bytes
    }

    mutating func clear() {
        bytes = []
        orders = 0
        isOverfull = false
    }
}
