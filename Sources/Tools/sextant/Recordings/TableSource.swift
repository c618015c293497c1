internal import Emulation
internal import SextantJSON

/// A reader of a table's rows that gets the table's bytes in pieces.
protocol TableReader {
    associatedtype Row
    /// The number of rows that were read, including skipped rows.
    var count: UInt64 { get }
    /// The word for a row in an error message.
    static var noun: String { get }

    init()
    mutating func push(_ bytes: borrowing Span<UInt8>)
    mutating func end()
    /// The next row; nil if more bytes are needed, or at the end.
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

    /// - Parameter path: The file, or "-" for standard input; nil if the user gave no such table.
    init(_ path: String?) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path ?? ""
        isGiven = path != nil
        isAtEnd = path == nil
        if let path { file = try InputFile(path) }
    }

    /// Reads until a row is complete, or until the end.
    ///
    /// - Parameter output: The gathered lines, which are written before a wait for the file and before an error.
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
        // The lines from the rows before the faulty row are correct, so they are written.
        try output.flush()
        throw .data("\(name): \(problem)")
    }

    /// Throws if the table ended without a row.
    func check() throws(CommandFailure) {
        guard reader.count > 0 || !isGiven else {
            throw .data("\(name): there is no \(Reader.noun) in it; add a line for each")
        }
    }
}

/// A buffer that gathers output lines before they are written.
struct TrackOutput: ~Copyable {
    var text = TextBuffer(capacity: 1 << 17)

    /// Bytes are collected, and written to the output as soon as there are this many.
    private static let gathered = 65_536

    mutating func flush() throws(CommandFailure) { try StandardOutput.write(&text) }

    mutating func flushIfFull() throws(CommandFailure) { if text.count >= TrackOutput.gathered { try flush() } }
}
