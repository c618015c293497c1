/// A file, and a line of it where one is meant.
public struct Place: Sendable, Hashable, CustomStringConvertible {
    public var path: String
    /// Counts from 1.
    public var line: Int?

    public init(_ path: String, line: Int? = nil) {
        self.path = path
        self.line = line
    }

    public var description: String { line.map { "\(path):\($0)" } ?? path }
}

/// A remedy: what to do, and where.
public struct Mend: Sendable, Hashable, CustomStringConvertible {
    /// Nil where the remedy is a command, or work on the hardware.
    public var place: Place?
    public var action: String

    public init(_ action: String, at place: Place? = nil) {
        self.action = action
        self.place = place
    }

    public var description: String { place.map { "\($0): \(action)" } ?? action }
}
