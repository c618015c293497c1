/// The outcome of reading a file that can vanish while it is read.
enum FileReading: Equatable {
    case bytes([UInt8])
    case missing
    /// The file exists, but reading is not permitted, it is not a regular file, or it has at least `longestContents`
    /// bytes.
    case unreadable
}

extension SystemFiles {
    /// Reads a file, and distinguishes an unreadable file from one that has vanished.
    func read(_ path: String) -> FileReading {
        guard let bytes = contents(of: path) else { return entry(at: path) == nil ? .missing : .unreadable }
        return bytes.count < longestContents ? .bytes(bytes) : .unreadable
    }

    /// The names in a folder; empty if the folder is missing, nil if it exists but cannot be read.
    func namesIfAny(in path: String) -> [String]? {
        names(in: path) ?? (entry(at: path) == nil ? [] : nil)
    }
}
