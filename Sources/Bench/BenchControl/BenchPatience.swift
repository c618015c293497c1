internal import Glibc

/// The one time limit for every wait of the bench: for its harness, for the harness's answers, and for the daemon's
/// clients.
///
/// The limit is reached only if something hangs. Virtual time stands still during every such wait, so a slow machine
/// gives the same results as a fast one.
public enum BenchPatience {
    /// The limit in seconds of real time: the environment variable `SEXTANT_PATIENCE`, or 300 without it.
    public static let seconds: Double = {
        // Safety: the text is copied at once, and no thread of the bench changes the environment.
        let text = unsafe getenv("SEXTANT_PATIENCE").map { unsafe String(cString: $0) }
        return text.flatMap { Double($0) } ?? 300
    }()

    /// The time limit in nanoseconds.
    public static var nanoseconds: Int64 { Int64(seconds * 1e9) }
}
