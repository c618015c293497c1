/// Cuts the bytes from the daemon into lines.
///
/// Bound: a line is at most 256 KiB; a longer one is skipped whole. A request has at most 64 KiB, and the daemon's
/// answer to it, such as a polygon's corners, is longer only by the digits that it adds.
struct LineBuffer {
    private static let limit = 262_144
    private var partial: [UInt8] = []
    private var isSkipping = false

    /// Takes bytes and returns the lines that they complete, without their line ends.
    mutating func push(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial.append(contentsOf: rest[..<end])
            if !isSkipping, partial.count <= Self.limit { lines.append(partial) }
            partial.removeAll(keepingCapacity: partial.capacity <= 4_096)
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        keep(rest)
        return lines
    }

    private mutating func keep(_ rest: ArraySlice<UInt8>) {
        guard !isSkipping, partial.count + rest.count <= Self.limit else {
            isSkipping = true
            partial = []
            return
        }
        partial.append(contentsOf: rest)
    }
}
