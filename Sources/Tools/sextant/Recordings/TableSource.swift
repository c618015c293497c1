internal import Emulation
internal import SextantJSON

/// A reader of a table's rows that is given the table in pieces.
protocol TableReader {
    associatedtype Row
    /// How many rows were read, those that are not taken included.
    var count: UInt64 { get }
    /// The word for a row in an error message.
    static var noun: String { get }

    init()
    mutating func push(_ bytes: borrowing Span<UInt8>)
    mutating func end()
    /// The next row; nil where more bytes are needed, or at the end.
    mutating func next() throws(CSVError) -> Row?
}

/// The rows of a file or of standard input, the next of which can be looked at before it is taken.
struct TableSource<Reader: TableReader>: ~Copyable {
    private var file: InputFile?
    private let name: String
    private(set) var reader = Reader()
    private(set) var head: Reader.Row?
    private var isAtEnd: Bool
    let isGiven: Bool

    /// - Parameter path: Nil where there is no such table.
    init(_ path: String?) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path ?? ""
        isGiven = path != nil
        isAtEnd = path == nil
        if let path { file = try InputFile(path) }
    }

    /// Reads until there is a row, or the end.
    ///
    /// - Parameter output: Is written before the file is waited for, and before an error is told.
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
        // The lines from the rows before the faulty one are right, and are written.
        try output.flush()
        throw .data("\(name): \(problem)")
    }

    /// Throws where the table ended without a row.
    func check() throws(CommandFailure) {
        guard reader.count > 0 || !isGiven else {
            throw .data("\(name): there is no \(Reader.noun) in it; add a line for each")
        }
    }
}

/// Lines that are gathered before they are written.
struct TrackOutput: ~Copyable {
    var text = TextBuffer(capacity: 1 << 17)

    /// The most bytes that are gathered.
    private static let gathered = 65_536

    mutating func flush() throws(CommandFailure) {
        try text.withBytes { bytes throws(CommandFailure) in try StandardOutput.write(bytes) }
        text.removeAll()
    }

    mutating func flushIfFull() throws(CommandFailure) { if text.count >= TrackOutput.gathered { try flush() } }
}
