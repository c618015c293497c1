/// The command line that the kernel is started with.
public struct KernelCommandLine: Sendable, Equatable {
    public var words: [String]
    /// The file and line of the command line; nil if only the running kernel's command line is known.
    public var place: FilePosition?

    public init(_ text: String, place: FilePosition?) {
        words = text.words
        self.place = place
    }

    /// The values of all words `NAME=VALUE` with this name, such as `serial0,115200` for `console`.
    public func values(_ name: String) -> [String] {
        words.compactMap { word in
            let (found, value) = word.parted(at: "=")
            return found == name ? value : nil
        }
    }

    /// The remedy that removes a word from the kernel's command line.
    public func removing(_ word: String) -> Mend {
        guard let place else {
            return Mend("remove \(word) from the kernel's command line, in your boot loader's settings")
        }
        return Mend("remove \(word)", at: place)
    }

    /// The remedy that adds a word to the kernel's command line; the file must stay a single line.
    public func adding(_ word: String) -> Mend {
        guard let place else { return Mend("add \(word) to the kernel's command line, in your boot loader's settings") }
        return Mend("add to the end of the line: \(word)", at: place)
    }
}
