internal import SextantUnits

/// When refused changes are tried again: after 1 s, and then after twice the wait each time, up to about a minute.
struct StoreRetries {
    /// The instant of the next try; nil where none is due.
    var due: MonotonicInstant?
    private var seconds: Int64 = 1

    private static let mostSeconds: Int64 = 64

    mutating func failed(at now: MonotonicInstant) {
        due = now.advanced(byNanoseconds: seconds * 1_000_000_000)
        seconds = min(2 * seconds, StoreRetries.mostSeconds)
    }
}
