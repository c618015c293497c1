internal import Emulation
internal import SextantJSON

/// Reads the rows of a CSV table, whose bytes arrive in pieces.
protocol TableReader {
    associatedtype Row
    /// The number of rows that were read, including those that were skipped.
    var count: UInt64 { get }
    /// The word that an error message uses for a row, such as "fix".
    static var noun: String { get }

    init()
    mutating func push(_ bytes: borrowing Span<UInt8>)
    mutating func end()
    /// The next row; nil if more bytes are needed, or if the table has ended.
    mutating func next() throws(CSVError) -> Row?
}

/// The rows of a file or of standard input; the caller can look at the next row before it takes the row.
struct TableSource<Reader: TableReader>: ~Copyable {
    private var file: InputFile?
    private let name: String
    private(set) var reader = Reader()
    private(set) var head: Reader.Row?
    private var isAtEnd: Bool
    let isGiven: Bool

    /// - Parameter path: The table's file, or "-" for standard input; nil if the user gave no such table.
    init(_ path: String?) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path ?? ""
        isGiven = path != nil
        isAtEnd = path == nil
        if let path { file = try InputFile(path) }
    }

    /// Reads until a whole row is there, or until the table ends.
    ///
    /// - Parameter output: The output lines gathered so far, which are written before this call waits for more input
    ///   and before it throws.
    mutating func fill(_ output: inout TrackOutput) throws(CommandFailure) {
        while head == nil, !isAtEnd {
            head = try next(&output)
            if head == nil { try read(&output) }
        }
    }

    mutating func take() -> Reader.Row? {
        defer { head = nil }
        return head
    }

    private mutating func read(_ output: inout TrackOutput) throws(CommandFailure) {
        try output.flush()
        if try readPiece() { return }
        reader.end()
        head = try next(&output)
        isAtEnd = head == nil
    }

    private mutating func readPiece() throws(CommandFailure) -> Bool {
        guard try file?.read() == true else { return false }
        switch file {
        case .some(let file): TableSource.push(file, to: &reader)
        case .none: break
        }
        return true
    }

    private static func push(_ file: borrowing InputFile, to reader: inout Reader) {
        reader.push(file.buffer.span.extracting(..<file.count))
    }

    private mutating func next(_ output: inout TrackOutput) throws(CommandFailure) -> Reader.Row? {
        let problem: CSVError
        do throws(CSVError) {
            return try reader.next()
        } catch {
            problem = error
        }
        // The output lines from the rows before the faulty row are correct, so they are written.
        try output.flush()
        throw .data("\(name): \(problem)")
    }

    /// Throws if the table ended and had no row at all.
    func check() throws(CommandFailure) {
        guard reader.count > 0 || !isGiven else {
            throw .data("\(name): there is no \(Reader.noun) in it; add a line for each")
        }
    }
}

/// A buffer that gathers lines of output before they are written together.
struct TrackOutput: ~Copyable {
    var text = TextBuffer(capacity: 1 << 17)

    /// The number of gathered bytes at which the output is written.
    private static let gathered = 65_536

    mutating func flush() throws(CommandFailure) { try StandardOutput.write(&text) }

    mutating func flushIfFull() throws(CommandFailure) { if text.count >= TrackOutput.gathered { try flush() } }
}
