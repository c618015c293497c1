/// A file, or one line of a file, to which a text refers.
public struct FilePosition: Sendable, Hashable, CustomStringConvertible {
    public var path: String
    /// The line's number, counted from 1; nil if the whole file is meant.
    public var line: Int?

    public init(_ path: String, line: Int? = nil) {
        self.path = path
        self.line = line
    }

    public var description: String { line.map { "\(path):\($0)" } ?? path }
}

/// How a fault is mended: what to do, and in which file.
public struct Mend: Sendable, Hashable, CustomStringConvertible {
    /// The file to change; nil if the remedy is a command or work on the hardware.
    public var place: FilePosition?
    public var action: String

    public init(_ action: String, at place: FilePosition? = nil) {
        self.action = action
        self.place = place
    }

    public var description: String { place.map { "\($0): \(action)" } ?? action }
}
