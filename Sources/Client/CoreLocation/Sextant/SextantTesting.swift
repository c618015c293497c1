internal import ClientVocabulary
internal import DaemonClient
internal import Synchronization

/// Functions that tests need and programs do not.
@_spi(Testing) public enum SextantTesting {
    /// Waits until everything that the daemon sent before has been told to delegates and loops.
    ///
    /// - Returns: Whether the daemon answers.
    public static func settle() async -> Bool {
        await LocationClient.shared.settle()
    }

    /// How many loops over updates, events and diagnostics have begun.
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

    /// Asks the daemon for an answer, and returns whether one came.
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
