/// The state files, which one owner hands to another thread.
///
/// A class, because a closure cannot own a value that cannot be copied.
///
/// Safety of `@unchecked Sendable`: the box is given to one thread when it is made, and only that thread ever calls it.
final class StateFilesBox: @unchecked Sendable {
    private var files: StateFiles

    init(_ files: consuming StateFiles) { self.files = files }

    /// Makes changes; nil when they are on the card.
    func outcome(of changes: [StateChange]) -> StoreError? {
        do throws(StoreError) {
            try files.apply(changes)
            return nil
        } catch {
            return error
        }
    }

    /// Runs `work` on the database; fails with the error that `work` throws, or because there is no open database.
    func perform<Answer>(
        _ work: (inout Database) throws(StoreError) -> Answer
    ) -> Result<Answer, StoreError> {
        do throws(StoreError) {
            return .success(try files.perform(work))
        } catch {
            return .failure(error)
        }
    }

    var isOpen: Bool { files.failure?.kind != .closed }

    func close() { files.close() }
}
