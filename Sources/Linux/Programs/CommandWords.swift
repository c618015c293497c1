/// The words of a program's command line: options, and the values that some of them need.
///
/// They are parsed without a library, to keep the programs that run beside the daemon small.
public struct CommandWords {
    /// A mistake in a command line, described in one line for the person who wrote it.
    public struct Mistake: Error {
        public let text: String

        public init(_ text: String) { self.text = text }
    }

    private var rest: ArraySlice<String>
    private var option = ""

    /// - Parameter arguments: The words of the command line without the program's own name.
    public init(_ arguments: some Sequence<String>) { rest = Array(arguments)[...] }

    /// Takes the next option of the command line; nil if there is none left.
    public mutating func next() -> String? {
        guard let word = rest.popFirst() else { return nil }
        option = word
        return word
    }

    /// Takes the value that follows the option that was read last; throws if the command line ends there.
    public mutating func value() throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake("\(option) wants a value") }
        return value
    }

    /// The mistake "unknown option", for the option that was read last.
    public var unknown: Mistake { Mistake("unknown option \(option)") }
}
