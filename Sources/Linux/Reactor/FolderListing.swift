import Glibc

package enum FolderListing {
    /// The names in a folder, names that begin with a dot included, in the order in which the kernel gives them.
    ///
    /// - Parameter most: The largest number of names to read; without it, all names are read.
    /// - Throws: The reason why the folder cannot be opened.
    package static func names(in folder: String, most: Int = .max) throws(SystemError) -> [String] {
        guard let entries = unsafe opendir(folder) else { throw SystemError("opendir \(folder)", errno: errno) }
        // Safety: `entries` stays open until the end of this function, and is closed once.
        defer { _ = unsafe closedir(entries) }
        var names: [String] = []
        // Safety: an entry is valid until the next `readdir`; its name is zero-terminated and copied at once.
        while names.count < most, let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
