import Glibc
import SextantReactor

/// Reads folders and small files in which the kernel shows its state.
package enum KernelFiles {
    /// The names in a folder; empty when the folder cannot be read.
    package static func names(in path: String) -> [String] { (try? FolderListing.names(in: path)) ?? [] }

    /// The first 4 KB of a file.
    static func contents(of path: String) throws(SystemError) -> ArraySlice<UInt8> {
        let file = try Descriptor(opening: path, flags: O_RDONLY)
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count) = file.read(into: &buffer) else { return [] }
        return buffer[..<count]
    }
}
