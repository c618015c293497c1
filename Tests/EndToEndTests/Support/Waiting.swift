import BenchControl
import Foundation

/// The one bound on every wait for a state.
///
/// It is only spent where a test fails: no test judges how fast the machine is.
enum Patience {
    /// Seconds of real time: the environment variable `SEXTANT_PATIENCE`, which `scripts/test` sets; 300 without it.
    static let seconds = BenchPatience.seconds

    /// The instant at which a wait that begins now gives up.
    static var deadline: ContinuousClock.Instant { .now + .seconds(seconds) }
}

/// Something did not happen: what, and what was seen instead.
struct Late: Error, CustomStringConvertible {
    var description: String
}

/// Looks again and again until there is something, and gives up when its patience is over.
///
/// - Parameters:
///   - what: Named in the failure.
///   - seconds: After which it gives up.
///   - seen: What is known by then, for the failure.
///   - pause: Between two looks.
@discardableResult
func eventually<Value>(
    _ what: String, within seconds: Double = Patience.seconds, seen: () -> String = { "" },
    every pause: Duration = .milliseconds(10), _ look: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        if let value = try await look() { return value }
        guard ContinuousClock.now < deadline else { throw Late(description: "not in \(seconds) s: \(what)\n\(seen())") }
        try await Task.sleep(for: pause)
    }
}
