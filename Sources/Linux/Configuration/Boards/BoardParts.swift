internal import Glibc
internal import JSON

/// The files that make a board: its own, and before it those that it extends.
struct BoardParts {
    /// What the board is called: its folder's name, or those of its parts.
    private(set) var name = ""
    /// How whoever reads an error finds the board: the path of its file, or its parts.
    private(set) var label = ""
    private(set) var layers = ConfigurationLayers()
    /// Every file that was looked at so far, with those that are not there: what the board depends on.
    private(set) var files: [String] = []
    private let folders: [String]

    /// Files that may extend each other in a row: far more than anybody needs.
    private static let deepest = 16

    /// Files that may be read for one board, each as often as it is named: far more than anybody needs too.
    private static let most = 64
    private var count = 0

    init(in folders: [String]) { self.folders = folders }

    /// Reads a board by its name or path, or parts of one that are joined by `+`.
    mutating func read(_ given: String) throws(ConfigurationError) {
        let names = names(in: given)
        name = names.map(BoardParts.name).joined(separator: "+")
        guard names.count > 1 else {
            label = try path(of: given, besides: nil, askedBy: "board")
            _ = try put(label, below: [])
            return
        }
        label = "board \"\(given)\""
        try put(
            names, besides: names.first { $0.contains("/") }.map { BoardParts.besides(BoardParts.file(at: $0)) },
            below: [], askedBy: "\(label):")
    }

    private mutating func put(
        _ names: [String], besides folder: String?, below chain: [String], askedBy asker: String
    ) throws(ConfigurationError) {
        var onlyOnes: [PartKind: String] = [:]
        for name in names {
            let path = try path(of: name, besides: folder, askedBy: asker)
            guard let kind = try put(path, below: chain), kind.isOnly else { continue }
            if let other = onlyOnes.updateValue(name, forKey: kind) {
                throw ConfigurationError(
                    description: "\(asker) \"\(other)\" and \"\(name)\" are each a \(kind.rawValue), "
                        + "and a board has one; leave one out")
            }
        }
    }

    /// Puts a file over what is there, after those that it extends.
    private mutating func put(_ path: String, below chain: [String]) throws(ConfigurationError) -> PartKind? {
        count += 1
        guard count <= BoardParts.most else {
            throw ConfigurationError(
                description: "\(label): extends: more than \(BoardParts.most) files would make this board; "
                    + "name each part once")
        }
        let whole = try ConfigurationSection(
            readFrom: path, example: "{ receiver: { model: \"neo-m8n\" } }",
            ifMissing: "name a board's folder or the board.json5 in it")
        var file = whole
        _ = try file.takeString("$schema")
        let kind = try file.takeWord("part", PartKind.self)
        let names = try takeExtends(from: &file).map { name in
            name.contains("/") && !name.hasPrefix("/") ? "\(BoardParts.parent(of: path))/\(name)" : name
        }
        let chain = chain + [path]
        for name in names { try check(name, in: chain) }
        try put(names, besides: BoardParts.besides(path), below: chain, askedBy: "\(path): extends:")
        layers.put(whole, replacing: BoardParts.isReplaced)
        return kind
    }

    /// A draw is one measurement; what is said of a chip is not true of another.
    private static func isReplaced(key: String, below: [String: JSONValue], above: [String: JSONValue]) -> Bool {
        switch key {
        case "receiver.draw", "host": true
        case "magnetometer", "accelerometer": above["model"] != nil && above["model"] != below["model"]
        default: false
        }
    }

    private mutating func takeExtends(
        from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> [String] {
        let expected = "a part's name, or a list of them, such as [\"zero-2w\", \"neo-m8n-compass\"]"
        switch file.take("extends") {
        case nil: return []
        case .string(let name)?: return names(in: name)
        case .array(let elements)?:
            var found: [String] = []
            for element in elements {
                guard case .string(let name) = element else { throw file.wrong("extends", element, expected: expected) }
                found += names(in: name)
            }
            return found
        case let value?: throw file.wrong("extends", value, expected: expected)
        }
    }

    /// Refuses what leads back to a file that is being read.
    private mutating func check(_ name: String, in chain: [String]) throws(ConfigurationError) {
        guard let file = chain.last else { return }
        let path = try path(of: name, besides: BoardParts.besides(file), askedBy: "\(file): extends:")
        guard chain.contains(path) || chain.count > BoardParts.deepest else { return }
        let way = (chain + [path]).map(BoardParts.name).joined(separator: ", ")
        throw ConfigurationError(
            description: "\(file): extends: \"\(name)\" leads in a circle (\(way)); take it out")
    }
}

/// Names and paths.
extension BoardParts {
    /// The parts of `a+b+c`; a path that is there is one, whatever is in it.
    private mutating func names(in given: String) -> [String] {
        guard given.contains("+"), !given.contains("/") || !exists(BoardParts.file(at: given)) else { return [given] }
        return given.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    }

    /// The file of a part, which a name has in the first of the folders that has it.
    ///
    /// - Parameter folder: Where the part's neighbours are; nil where nothing says.
    private mutating func path(
        of name: String, besides folder: String?, askedBy asker: String
    ) throws(ConfigurationError) -> String {
        guard !name.contains("/") else {
            let path = BoardParts.file(at: name)
            note(path)
            return path
        }
        guard !name.isEmpty else {
            throw ConfigurationError(description: "\(asker) a part's name is missing beside a +; take the + away")
        }
        let places = folder.map { folders.contains($0) ? folders : [$0] + folders } ?? folders
        for place in places {
            let path = BoardParts.file(at: "\(place)/\(name)")
            if exists(path) { return path }
        }
        throw ConfigurationError(
            description: "\(asker) \"\(name)\": none of this name in \(places.joined(separator: " or ")); "
                + "a board elsewhere is named by a path, such as ./boards/\(name)",
            isUnreadable: true)
    }

    private static func file(at path: String) -> String {
        path.hasSuffix(".json5") ? path : path.hasSuffix("/") ? "\(path)board.json5" : "\(path)/board.json5"
    }

    private mutating func exists(_ path: String) -> Bool {
        note(path)
        return unsafe access(path, F_OK) == 0
    }

    private mutating func note(_ path: String) {
        if !files.contains(path) { files.append(path) }
    }

    /// The folder's name; without one, the board's.
    private static func name(of given: String) -> String {
        let parts = file(at: given).split(separator: "/")
        return parts.dropLast().last.map(String.init) ?? "board"
    }

    /// Where the neighbours of the part with this file are.
    private static func besides(_ file: String) -> String { parent(of: parent(of: file)) }

    static func parent(of path: String) -> String {
        if path.split(separator: "/").last == ".." { return path + "/.." }
        guard let slash = path.lastIndex(of: "/") else { return path == "." ? ".." : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
