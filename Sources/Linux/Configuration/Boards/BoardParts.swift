internal import Glibc
internal import SextantJSON

/// The files that make up a board: its own file, and the files that it extends, whose values it overrides.
struct BoardParts {
    /// The board's name: its folder's name, or the names of its parts joined by `+`.
    private(set) var name = ""
    /// What error messages call the board: the path of its file, or the list of its parts.
    private(set) var label = ""
    private(set) var layers = ConfigurationLayers()
    /// The path of every file that was looked for, even of a missing one; if one of them changes, the board can change.
    private(set) var files: [String] = []
    private let folders: [String]

    /// The largest number of files in a chain in which each file extends the next one; far above any real need.
    private static let deepest = 16

    /// The largest number of files read for one board, far above any real need; a file that is named twice counts
    /// twice.
    private static let most = 64
    private var count = 0

    init(in folders: [String]) { self.folders = folders }

    /// Reads a board by its name or path, or by the names of its parts joined by `+`.
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

    /// Reads a file and the files that it extends; the file's values override those of the extended files, and those of
    /// the parts read earlier.
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

    /// Whether an object in a file replaces the object of the same key in an extended file, instead of being merged
    /// with it.
    ///
    /// The values of a receiver's draw belong to one measurement, and the keys of one chip model do not apply to
    /// another model.
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

    /// Throws if a file extends itself through other files, or if the chain of files is too long.
    private mutating func check(_ name: String, in chain: [String]) throws(ConfigurationError) {
        guard let file = chain.last else { return }
        let path = try path(of: name, besides: BoardParts.besides(file), askedBy: "\(file): extends:")
        guard chain.contains(path) || chain.count > BoardParts.deepest else { return }
        let way = (chain + [path]).map(BoardParts.name).joined(separator: ", ")
        throw ConfigurationError(
            description: "\(file): extends: \"\(name)\" leads in a circle (\(way)); take it out")
    }
}

/// Finds the files of a board's parts by name and by path.
extension BoardParts {
    /// Splits `a+b+c` into its parts; the path of an existing file is one part, even if it contains a `+`.
    private mutating func names(in given: String) -> [String] {
        guard given.contains("+"), !given.contains("/") || !exists(BoardParts.file(at: given)) else { return [given] }
        return given.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    }

    /// The path of a part's file: a name is looked up in one folder after the other, and the first folder that has it
    /// counts.
    ///
    /// - Parameter folder: The folder with the part that names this part, which is searched first; nil if it is not
    ///   known.
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
            description: "\(asker) \"\(name)\": no part of this name in \(places.joined(separator: " or ")); "
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

    /// The name of the folder that contains a part's file; "board" if the path has no folder.
    private static func name(of given: String) -> String {
        let parts = file(at: given).split(separator: "/")
        return parts.dropLast().last.map(String.init) ?? "board"
    }

    /// The folder that contains the folder of this part, and in which other parts have their folders too.
    private static func besides(_ file: String) -> String { parent(of: parent(of: file)) }

    static func parent(of path: String) -> String {
        if path.split(separator: "/").last == ".." { return path + "/.." }
        guard let slash = path.lastIndex(of: "/") else { return path == "." ? ".." : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
