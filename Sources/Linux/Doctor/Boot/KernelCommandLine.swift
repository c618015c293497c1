/// The words that the kernel is started with.
public struct KernelCommandLine: Sendable, Equatable {
    public var words: [String]
    /// Where they can be changed; nil where only the running kernel's are known.
    public var place: Place?

    public init(_ text: String, place: Place?) {
        words = text.words
        self.place = place
    }

    /// The values of a word, such as `serial0,115200` of `console`.
    public func values(_ name: String) -> [String] {
        words.compactMap { word in
            let (found, value) = word.parted(at: "=")
            return found == name ? value : nil
        }
    }

    /// How to take a word away.
    public func removing(_ word: String) -> Mend {
        guard let place else {
            return Mend("remove \(word) from the kernel's command line, in your boot loader's settings")
        }
        return Mend("remove \(word)", at: place)
    }

    /// How to add a word; all of them stand in one line.
    public func adding(_ word: String) -> Mend {
        guard let place else { return Mend("add \(word) to the kernel's command line, in your boot loader's settings") }
        return Mend("add to the end of the line: \(word)", at: place)
    }
}
