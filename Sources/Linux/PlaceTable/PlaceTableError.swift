internal import Glibc
package import SextantSQLite

/// Why a table of place names cannot be read or written.
public struct PlaceTableError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// The file is not a table of place names.
        case notATable
        /// A later release of Sextant wrote the table.
        case newerFormat(found: Int)
        /// An earlier release of Sextant wrote the table.
        case olderFormat(found: Int)
        /// The file's content is not as it was written: cut off or changed.
        case damaged(reason: String)
        /// The file could not be read or written; `errno` is the kernel's error number.
        case inaccessible(errno: Int32)
        /// A line of the input from which the table is to be made is wrong.
        case wrongLine(number: Int, problem: String)
    }

    public var kind: Kind
    public var path: String

    public init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    public var description: String {
        switch kind {
        case .missing: "\(path): no such file"
        case .notATable: "\(name) is not a table of places"
        case .newerFormat(let found):
            "\(name) has format \(found); this Sextant reads \(PlaceSchema.format): update sextant"
        case .olderFormat(let found):
            "\(name) has format \(found); this Sextant reads \(PlaceSchema.format): install sextant-places or import the "
                + "region again"
        case .damaged(let reason): "\(name) is damaged: \(reason)"
        case .inaccessible(let errno): "\(path): \(unsafe String(cString: strerror(errno)))"
        case .wrongLine(let number, let problem): "\(path): line \(number): \(problem)"
        }
    }
}

extension PlaceTableError: SQLiteError {
    package init(_ failure: SQLiteFailure) {
        let (path, errno) = (failure.path, failure.errno)
        switch failure.kind {
        case .notADatabase: self.init(.notATable, path: path)
        case .cannotOpen, .inputOutput, .permission, .readOnly, .full, .notAuthorized:
            if errno == 0 || failure.code == SQLiteFailure.shortRead { fallthrough }
            self.init(errno == ENOENT ? .missing : .inaccessible(errno: errno), path: path)
        default: self.init(.damaged(reason: failure.description), path: path)
        }
    }
}
