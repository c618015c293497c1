internal import ClientVocabulary
internal import DaemonClient
internal import Synchronization

/// Functions that tests need and programs do not.
@_spi(Testing) public enum SextantTesting {
    /// Waits until everything that the daemon has sent so far has been delivered to delegates and loops.
    ///
    /// - Returns: Whether the daemon answers.
    public static func settle() async -> Bool {
        await LocationClient.shared.settle()
    }

    /// The number of loops over updates, events or diagnostics that have begun in this process, including those that
    /// have ended.
    public static var loopsBegun: Int { LoopCount.begun.load(ordering: .relaxed) }
}

extension LocationClient {
    func settle() async -> Bool {
        guard await ping() else { return false }
        for sink in read({ $0.allSinks }) {
            await withCheckedContinuation { continuation in
                sink.whenSettled { continuation.resume() }
            }
            withExtendedLifetime(sink) {}
        }
        return true
    }

    /// Sends the daemon a ping, and returns whether an answer came.
    func ping() async -> Bool {
        await withCheckedContinuation { continuation in
            update { state in
                let name = state.newName("ping")
                state.pings[name] = { continuation.resume(returning: $0) }
                state.send(DaemonRequest(.ping).with(.id, name))
                return ((), [])
            }
        }
    }
}

extension ClientState {
    var allSinks: [any EventSink] {
        managers + sessions.values.compactMap(\.sink) + holds.values.compactMap(\.sink)
            + monitors.values.compactMap(\.sink)
    }
}
