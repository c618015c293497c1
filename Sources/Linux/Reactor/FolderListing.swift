import Glibc

/// Lists the names in folders.
package enum FolderListing {
    /// All names in a folder, those that begin with a dot too, in the order in which the kernel gives them.
    ///
    /// - Throws: The reason why the folder cannot be opened.
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let entries = unsafe opendir(folder) else { throw SystemError("opendir \(folder)", errno: errno) }
        // Safety: `entries` stays open until the end of this function, and is closed once.
        defer { _ = unsafe closedir(entries) }
        var names: [String] = []
        // Safety: an entry is valid until the next `readdir`; its name is zero-terminated and copied at once.
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
