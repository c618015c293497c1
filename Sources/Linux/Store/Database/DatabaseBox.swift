/// A database that one owner hands to another thread.
///
/// A class, because a closure cannot own a value that cannot be copied.
///
/// Safety of `@unchecked Sendable`: the box is given to one thread when it is made, and only that thread ever calls it.
final class DatabaseBox: @unchecked Sendable {
    private var database: Database?
    private let path: String

    init(_ database: consuming Database) {
        path = database.path
        self.database = consume database
    }

    /// Runs `work` on the database; fails with the error that `work` throws, or because the box is closed.
    func perform<Answer>(
        _ work: (inout Database) throws(StoreError) -> Answer
    ) -> Result<Answer, StoreError> {
        guard var held = database.take() else { return .failure(StoreError(.closed, path: path)) }
        let result = DatabaseBox.result(of: work, on: &held)
        database = consume held
        return result
    }

    private static func result<Answer>(
        of work: (inout Database) throws(StoreError) -> Answer, on database: inout Database
    ) -> Result<Answer, StoreError> {
        do throws(StoreError) {
            return .success(try work(&database))
        } catch {
            return .failure(error)
        }
    }

    var isOpen: Bool { database != nil }

    func close() { database = nil }
}
