internal import Glibc
package import SextantSQLite

package typealias Connection = SQLiteFile<StoreError>

typealias Statement = SQLiteStatement<StoreError>

extension StoreError: SQLiteError {
    package init(_ failure: SQLiteFailure) {
        let path = failure.path
        switch failure.kind {
        case .full: self.init(path: path, errno: failure.errno == EDQUOT ? EDQUOT : ENOSPC)
        case .busy, .locked: self.init(.inUse, path: path)
        case .damaged, .notADatabase: self.init(.damaged(reason: failure.description), path: path)
        case .readOnly, .permission: self.init(path: path, errno: EROFS)
        case .noMemory: self.init(path: path, errno: ENOMEM)
        case .inputOutput where failure.errno != 0, .cannotOpen where failure.errno != 0:
            self.init(path: path, errno: failure.errno)
        default: self.init(.database(code: failure.code), path: path)
        }
    }
}
