import Foundation

/// Something did not happen in its time: what, and what was seen instead.
struct Late: Error, CustomStringConvertible {
    var description: String
}

/// Looks again and again until there is something, and gives up at the deadline.
///
/// - Parameters:
///   - what: Named in the failure.
///   - seconds: Generous: it is only spent where a test fails.
///   - seen: What is known by then, for the failure.
///   - pause: Between two looks.
func eventually<Value>(
    _ what: String, within seconds: Double = 30, seen: () -> String = { "" }, every pause: Duration = .milliseconds(10),
    _ look: () throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        if let value = try look() { return value }
        guard ContinuousClock.now < deadline else { throw Late(description: "not in \(seconds) s: \(what)\n\(seen())") }
        try await Task.sleep(for: pause)
    }
}
