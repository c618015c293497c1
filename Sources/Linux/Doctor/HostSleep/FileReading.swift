/// The outcome of reading a file that may vanish meanwhile.
enum FileReading: Equatable {
    case bytes([UInt8])
    case missing
    /// The file is there, but it may not be read, is no regular file, or is longer than what is read of any file.
    case unreadable
}

extension SystemFiles {
    /// Reads a file, and distinguishes one that may not be read from one that has vanished.
    func read(_ path: String) -> FileReading {
        guard let bytes = contents(of: path) else { return entry(at: path) == nil ? .missing : .unreadable }
        return bytes.count < longestContents ? .bytes(bytes) : .unreadable
    }

    /// The names in a directory; none where it is missing, and nil where it is there but may not be read.
    func namesIfAny(in path: String) -> [String]? {
        names(in: path) ?? (entry(at: path) == nil ? [] : nil)
    }
}
