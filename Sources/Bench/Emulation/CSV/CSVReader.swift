/// Reads comma-separated numbers and words below a header, one row at a time, from a text that arrives in pieces of any
/// size.
///
/// The header names the columns in any order and in upper or lower case; columns with other names are skipped, as are
/// blank lines. White space around a field is ignored. A field that is empty or missing at the end of a row is nil.
public struct CSVReader: Sendable {
    private let columns: [String]
    private let requiredCount: Int
    /// For each of the columns to read, whether it holds words instead of numbers.
    private let isOfWords: [Bool]
    /// For each field of a row, the index of its column among the columns to read, or nil if the column is not read;
    /// the array itself is nil until the header has been read.
    private var meanings: [Int?]?
    private var buffer: [UInt8] = []
    private var start = 0
    private var isEnded = false
    /// The current row's line number, counted from 1.
    public private(set) var line = 0
    /// The current row's numbers, in the order of the columns to read.
    private var values: [Double?]
    /// The current row's words, in the order of the columns to read; nil for empty fields and for columns of numbers.
    private var words: [String?]

    /// The length of the longest line that is accepted, in bytes; a longer line cannot be a row of numbers.
    public static let longestLine = 65_536

    /// Makes a reader of some columns of a table.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns to read.
    ///   - requiredCount: How many of `columns`, from the first on, the header must name; the others are optional.
    ///   - wordColumns: The names of those `columns` that hold words instead of numbers.
    public init(columns: [String], requiredCount: Int, wordColumns: [String] = []) {
        self.columns = columns
        self.requiredCount = requiredCount
        isOfWords = columns.map(wordColumns.contains)
        values = [Double?](repeating: nil, count: columns.count)
        words = [String?](repeating: nil, count: columns.count)
    }

    /// The current row's number in a column, given by its index among the columns to read; nil if the field is empty.
    public subscript(_ column: Int) -> Double? { values[column] }

    /// The current row's word in a column of words; nil if the field is empty.
    public func word(_ column: Int) -> String? { words[column] }

    /// Takes the next piece of the table's text.
    public mutating func push(_ bytes: borrowing Span<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        buffer.reserveCapacity(buffer.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
    }

    /// Ends the text: the bytes that have not been read yet are the last row, even without a newline.
    public mutating func end() { isEnded = true }

    /// Reads the next row; false if another piece of the text is needed first or the table has ended.
    public mutating func next() throws(CSVError) -> Bool {
        while let range = try nextLine() {
            line += 1
            guard let meanings else {
                meanings = try header(range)
                continue
            }
            if try read(range, meanings) { return true }
        }
        guard isEnded, meanings == nil else { return false }
        throw CSVError(line: 0, problem: "it is empty", mend: headerMend)
    }

    private mutating func nextLine() throws(CSVError) -> Range<Int>? {
        let begin = start
        var index = begin
        while index < buffer.count, buffer[index] != 0x0A { index += 1 }
        guard index < buffer.count || (isEnded && index > begin) else {
            guard index - begin <= CSVReader.longestLine else {
                throw CSVError(
                    line: line + 1, problem: "it is longer than \(CSVReader.longestLine) bytes",
                    mend: "give a text of lines")
            }
            return nil
        }
        start = min(index + 1, buffer.count)
        return begin..<index
    }

    // MARK: The header

    private var headerMend: String {
        "begin with the header \(columns[..<requiredCount].joined(separator: ","))"
    }

    /// Reads the header's names; returns for each its index among the columns to read, or nil if it is not one of them;
    /// returns nil for a blank line.
    private func header(_ range: Range<Int>) throws(CSVError) -> [Int?]? {
        let names = buffer[range].split(separator: 0x2C, omittingEmptySubsequences: false).map { field in
            let field = trimmed(field.startIndex..<field.endIndex)
            return String(decoding: buffer[field], as: UTF8.self).lowercased()
        }
        guard names.contains(where: { !$0.isEmpty }) else { return nil }
        for required in columns[..<requiredCount] where !names.contains(required.lowercased()) {
            throw CSVError(line: line, problem: "the header does not name \(required)", mend: headerMend)
        }
        return names.map { name in columns.firstIndex { $0.lowercased() == name } }
    }

    // MARK: Rows

    /// Reads the fields of a row; false if the line is blank.
    private mutating func read(_ range: Range<Int>, _ meanings: [Int?]) throws(CSVError) -> Bool {
        for column in values.indices {
            values[column] = nil
            words[column] = nil
        }
        var isBlank = true
        var (begin, count) = (range.lowerBound, 0)
        while begin <= range.upperBound {
            var end = begin
            while end < range.upperBound, buffer[end] != 0x2C { end += 1 }
            let field = trimmed(begin..<end)
            if !field.isEmpty {
                isBlank = false
                try take(field, count, meanings)
            }
            count += 1
            begin = end + 1
        }
        return !isBlank
    }

    private mutating func take(_ field: Range<Int>, _ number: Int, _ meanings: [Int?]) throws(CSVError) {
        guard number < meanings.count else {
            throw CSVError(
                line: line, problem: "it has more fields than the header's \(meanings.count)",
                mend: "write numbers with a point, not a comma")
        }
        guard let column = meanings[number] else { return }
        guard !isOfWords[column] else {
            words[column] = String(decoding: buffer[field], as: UTF8.self)
            return
        }
        if let value = DecimalText.value(of: buffer, field) {
            values[column] = value
            return
        }
        let text = String(decoding: buffer[field].prefix(40), as: UTF8.self)
        guard let value = Double(text) else {
            throw CSVError(
                line: line, problem: "\(columns[column]) is \"\(text)\", which is no number", mend: "write it as 12.5")
        }
        values[column] = value
    }

    private func trimmed(_ field: Range<Int>) -> Range<Int> {
        var (begin, end) = (field.lowerBound, field.upperBound)
        while begin < end, CSVReader.isSpace(buffer[begin]) { begin += 1 }
        while begin < end, CSVReader.isSpace(buffer[end - 1]) { end -= 1 }
        return begin..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 }
}

extension CSVReader {
    /// The current row's number in a column; throws if the field is empty.
    public func required(_ column: Int) throws(CSVError) -> Double {
        guard let value = values[column] else {
            throw CSVError(line: line, problem: "\(columns[column]) is empty", mend: "write a number")
        }
        return value
    }

    /// The current row's number in a column; throws if the field is empty or the number is out of bounds.
    public func required(_ column: Int, in range: ClosedRange<Double>) throws(CSVError) -> Double {
        try checked(required(column), column, range)
    }

    /// The current row's number in a column, or nil if the field is empty; throws if the number is out of bounds.
    public func value(_ column: Int, in range: ClosedRange<Double>) throws(CSVError) -> Double? {
        guard let value = values[column] else { return nil }
        return try checked(value, column, range)
    }

    private func checked(_ value: Double, _ column: Int, _ range: ClosedRange<Double>) throws(CSVError) -> Double {
        guard range.contains(value) else {
            throw CSVError(
                line: line, problem: "\(columns[column]) is \(value)",
                mend: "it lies from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
