internal import Glibc
internal import Synchronization

/// The one bound of every wait for another thread or program: a test that has waited so long fails.
///
/// Its length says nothing of the product: it only has to be longer than any machine is busy.
public enum Patience {
    /// Unit: second; `SEXTANT_PATIENCE`, or 300.
    public static let seconds: Double = {
        // Safety: the text is read at once, and no test changes the environment.
        let text = unsafe getenv("SEXTANT_PATIENCE").map { unsafe String(cString: $0) }
        return text.flatMap(Double.init) ?? 300
    }()

    /// Unit: nanosecond.
    public static var nanoseconds: Int64 { Int64(seconds * 1e9) }
}

/// A state that did not come.
public struct Late: Error, CustomStringConvertible {
    public var description: String

    public init(_ awaited: String) { description = "\(awaited): not after \(Patience.seconds) s" }
}

/// Blocks this thread until the condition holds.
///
/// - Parameter awaited: The state, as the error names it.
public func waitUntil(_ awaited: String, _ holds: () throws -> Bool) throws {
    let end = monotonicNanoseconds() + Patience.nanoseconds
    while try !holds() {
        guard monotonicNanoseconds() < end else { throw Late(awaited) }
        usleep(1000)
    }
}

private func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Suspends this task until the condition holds.
///
/// - Parameter awaited: The state, as the error names it.
public func eventually(_ awaited: String, _ holds: () async throws -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(Patience.seconds)
    while try await !holds() {
        guard clock.now < end else { throw Late(awaited) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// A place at which another thread waits until the test lets it go on.
public final class Gate: Sendable {
    private let state = Mutex((isReached: false, isOpen: false))

    public init() {}

    public func open() { state.withLock { $0.isOpen = true } }

    /// Waits until the gate is open.
    public func pass() throws {
        state.withLock { $0.isReached = true }
        try waitUntil("an open gate") { state.withLock { $0.isOpen } }
    }

    /// Waits until a thread has reached the gate.
    public func waitUntilReached() throws {
        try waitUntil("a thread at the gate") { state.withLock { $0.isReached } }
    }
}
