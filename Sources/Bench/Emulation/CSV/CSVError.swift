/// An error in a CSV table: its line, the problem and how to fix it.
public struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number, counted from 1; 0 if the error concerns the whole table.
    public var line: Int
    public var problem: String
    public var mend: String

    public init(line: Int, problem: String, mend: String) {
        self.line = line
        self.problem = problem
        self.mend = mend
    }

    public var description: String { (line > 0 ? "line \(line): " : "") + "\(problem); \(mend)" }
}
