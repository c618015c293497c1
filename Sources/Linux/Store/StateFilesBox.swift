/// Holds the state files, which their owner hands over to another thread.
///
/// A class, because a closure cannot own a value that cannot be copied.
///
/// Safety of `@unchecked Sendable`: the box is given to one thread when it is made, and only that thread ever calls it.
final class StateFilesBox: @unchecked Sendable {
    private var files: StateFiles

    init(_ files: consuming StateFiles) { self.files = files }

    /// Makes changes in one transaction; returns nil when they are on the storage card, or the error if none was made.
    func outcome(of changes: [StateChange]) -> StoreError? {
        let result = mending { files throws(StoreError) in try files.apply(changes) }
        if case .failure(let error) = result { return error }
        return nil
    }

    /// Runs `work` on the database; the result is a failure if `work` throws, or if no database is open.
    func perform<Answer>(
        _ work: (inout Database) throws(StoreError) -> Answer
    ) -> Result<Answer, StoreError> {
        mending { files throws(StoreError) in try files.perform(work) }
    }

    /// Runs `work`; if `work` finds the database damaged, rebuilds the database and runs `work` once more.
    private func mending<Answer>(
        _ work: (inout StateFiles) throws(StoreError) -> Answer
    ) -> Result<Answer, StoreError> {
        do throws(StoreError) {
            return .success(try work(&files))
        } catch {
            guard files.mend(after: error) else { return .failure(error) }
        }
        do throws(StoreError) {
            return .success(try work(&files))
        } catch {
            return .failure(error)
        }
    }

    /// Texts for the operator about damage that was found since the last call.
    func takeNews() -> [String] { files.takeNews() }

    var isOpen: Bool { files.failure?.kind != .closed }

    func close() { files.close() }
}
