internal import Synchronization

/// A mark that is set once.
final class TakenMark: Sendable {
    private let mark = Atomic(false)

    func set() {
        mark.store(true, ordering: .releasing)
    }

    var isSet: Bool { mark.load(ordering: .acquiring) }
}
