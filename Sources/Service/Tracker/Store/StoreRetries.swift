internal import SextantUnits

/// The times at which storing is tried again after a failure: after 1 s, and then after twice as long each time, up to
/// 64 s.
struct StoreRetries {
    /// When the next attempt to store is due; nil if none is.
    var due: MonotonicInstant?
    private var seconds: Int64 = 1

    private static let maximumSeconds: Int64 = 64

    mutating func failed(at now: MonotonicInstant) {
        due = now.advanced(byNanoseconds: seconds * 1_000_000_000)
        seconds = min(2 * seconds, StoreRetries.maximumSeconds)
    }
}
