import Glibc
import SextantReactor

/// Reads directories and small files in which the kernel shows its state.
package enum DirectoryListing {
    /// The names in a directory; empty when the directory cannot be read.
    package static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        // Safety: `directory` stays open until the end of this function, and is closed once.
        defer { _ = unsafe closedir(directory) }
        var names: [String] = []
        // Safety: an entry is valid until the next `readdir`; its name is zero-terminated and copied at once.
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The first 4 KB of a file.
    static func contents(of path: String) throws(SystemError) -> ArraySlice<UInt8> {
        let file = try Descriptor(opening: path, flags: O_RDONLY)
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count) = file.read(into: &buffer) else { return [] }
        return buffer[..<count]
    }
}
