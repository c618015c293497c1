/// The file name of a client's manifest: the client's name and the suffix `.json5`.
struct ClientFileName {
    static let suffix = ".json5"

    let client: String

    /// Finds the client's name in the last component of a path; throws if that is no valid file name of a manifest.
    init(path: String) throws(ConfigurationError) {
        let file = path.split(separator: "/").last ?? ""
        guard file.hasSuffix(ClientFileName.suffix) else {
            throw ConfigurationError(description: "\(path): must be called NAME.json5; rename it")
        }
        let name = file.dropLast(ClientFileName.suffix.count)
        guard (1...64).contains(name.utf8.count), let first = name.utf8.first, UnitName.isLetterOrDigit(first),
            name.utf8.allSatisfy({ UnitName.isLetterOrDigit($0) || "._-".utf8.contains($0) })
        else {
            throw ConfigurationError(
                description: "\(path): the file's name, \"\(name)\", must be 1 to 64 letters, digits and ._- "
                    + "that begin with a letter or a digit; rename it")
        }
        client = String(name)
    }

    /// Whether a file of this name is meant as a manifest; hidden files, and those that editors and package managers
    /// leave behind, are not.
    static func isMeantAsManifest(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(suffix) || name.hasSuffix(".json"))
    }
}
