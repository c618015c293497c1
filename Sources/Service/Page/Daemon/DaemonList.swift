internal import ClientVocabulary

/// A list that the daemon sends as one line of JSON for each element, followed by a line that marks the end.
///
/// Only one list of a kind is requested at a time, so that no element can belong to another answer.
struct DaemonList: Sendable {
    /// The value of `event` in the line (a JSON object) of an element, and in the line that marks the end.
    let element: EventName
    let end: EventName
    private(set) var lines: [[UInt8]] = []

    init(of element: EventName, until end: EventName) {
        self.element = element
        self.end = end
    }

    /// Takes an element.
    mutating func append(_ line: [UInt8]) { lines.append(line) }

    /// Returns the elements of the list once the list is complete, and empties the list.
    mutating func finish() -> [[UInt8]] {
        defer { lines = [] }
        return lines
    }
}

/// The value of `event` in a line of JSON, read without decoding the rest of the line.
enum LineName {
    private static let start = Array("{\"event\":\"".utf8)

    /// Reads the value of `event`, which the daemon writes first in each line of JSON; empty if the line begins
    /// otherwise.
    static func of(_ line: [UInt8]) -> String {
        guard line.starts(with: start) else { return "" }
        let name = line[start.count...].prefix { $0 != UInt8(ascii: "\"") }
        return String(decoding: name, as: UTF8.self)
    }

    static func contains(_ line: [UInt8], _ text: [UInt8]) -> Bool {
        guard line.count >= text.count else { return false }
        return (0...line.count - text.count).contains { start in
            line[start] == text[0] && line[start..<start + text.count].elementsEqual(text)
        }
    }
}
