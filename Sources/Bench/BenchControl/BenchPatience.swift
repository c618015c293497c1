internal import Glibc

/// The time limit, in real time, for every wait in a test with virtual time: `sextantd-bench` waits for its harness and
/// for the daemon's clients, and the harness waits for answers.
///
/// The limit is reached only if something hangs. Virtual time stands still during every such wait, so a slow machine
/// gives the same results as a fast one.
public enum BenchPatience {
    /// The limit in seconds of real time: the value of the environment variable `SEXTANT_PATIENCE`; 300 if the variable
    /// is not set.
    public static let seconds: Double = {
        // Safety: the text is copied at once, and no thread of the bench changes the environment.
        let text = unsafe getenv("SEXTANT_PATIENCE").map { unsafe String(cString: $0) }
        return text.flatMap { Double($0) } ?? 300
    }()

    /// The time limit in nanoseconds.
    public static var nanoseconds: Int64 { Int64(seconds * 1e9) }
}
