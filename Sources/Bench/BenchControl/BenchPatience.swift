internal import Glibc

/// The one bound on every wait of the bench: for its harness, for its harness's answers, and for the daemon's clients.
///
/// It is only spent where something hangs. Virtual time stands still in every such wait, so that a slow machine gives
/// the same results as a fast one.
public enum BenchPatience {
    /// Seconds of real time: the environment variable `SEXTANT_PATIENCE`; 300 without it.
    public static let seconds: Double = {
        // Safety: the text is copied at once, and no thread of the bench changes the environment.
        let text = unsafe getenv("SEXTANT_PATIENCE").map { unsafe String(cString: $0) }
        return text.flatMap { Double($0) } ?? 300
    }()

    /// The same in nanoseconds.
    public static var nanoseconds: Int64 { Int64(seconds * 1e9) }
}
