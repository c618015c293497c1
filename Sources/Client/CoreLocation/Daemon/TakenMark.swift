internal import Synchronization

/// Whether a delegate has taken an event; any thread can set this and read it.
final class TakenMark: Sendable {
    private let mark = Atomic(false)

    func set() {
        mark.store(true, ordering: .releasing)
    }

    var isSet: Bool { mark.load(ordering: .acquiring) }
}
