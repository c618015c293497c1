internal import SextantJSON

/// The settings in `/etc/sextant/page.json5`.
public struct PageConfiguration: Sendable, Equatable {
    public static let standardPath = "/etc/sextant/page.json5"

    /// Further host names under which the page can be requested, such as `board.lan` or `page.example:8080`.
    public var hosts: [String] = []
    /// The path of the owner's map, a file of raster MBTiles.
    public var map: String?
    /// The errors in the file, and how to correct them; the rest of the file is used.
    public var problems: [String] = []

    /// The errors in the file and, if its map cannot be drawn, the reason.
    public var allProblems: [String] {
        guard let map else { return problems }
        do throws(TileProblem) {
            _ = try TileMap(path: map)
            return problems
        } catch {
            return problems + ["the map \(map): \(error.sentence)"]
        }
    }

    public init() {}

    /// Parses the file's text.
    public init(text: [UInt8]) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, allowsJSON5: true)
        } catch {
            problems.append("\(error.detail); it is as if the file were empty")
            return
        }
        guard case .object(let members) = value else {
            problems.append("it must be an object, such as { hosts: [\"board.lan\"] }")
            return
        }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("hosts", .array(let names)):
                hosts = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
                if hosts.count != names.count { problems.append("hosts: every name is a text") }
            case ("map", .string(let path)): map = path
            case ("hosts", _): problems.append("hosts must be a list of names")
            case ("map", _): problems.append("map must be the path of an .mbtiles file")
            default: problems.append("\(key) is no key of this file; the keys are hosts and map")
            }
        }
    }
}
