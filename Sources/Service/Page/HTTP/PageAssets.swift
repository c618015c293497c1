internal import SextantReactor
internal import SextantUnits

/// The page's own files, read once from a folder.
///
/// They are served from files and not built into the program, so that a developer of the page can edit and reload them.
/// A package also has each file in the form compressed by `gzip`.
public struct PageAssets: Sendable {
    struct Asset: Sendable {
        var bytes: [UInt8]
        var compressed: [UInt8]?
        var type: String
        /// The hash of the bytes (the ETag), with which a browser asks whether its copy is still current.
        var tag: String
    }

    public static let standardFolder = "/usr/share/sextant/page"
    private static let names = [
        "index.html", "style.css", "app.js", "icon.svg", "coast-110m.bin", "coast-50m.bin",
    ]
    private static let limit = 1 << 20

    private(set) var assets: [String: Asset] = [:]

    public var names: Set<String> { Set(assets.keys) }

    /// Reads the page's files.
    ///
    /// - Returns: Nil if the folder contains no page.
    public init?(folder: String) {
        for name in PageAssets.names {
            guard let bytes = PageAssets.read("\(folder)/\(name)") else { continue }
            let tag = Hexadecimal.text(Array(SHA256.hash(bytes).prefix(8)))
            assets[name] = Asset(
                bytes: bytes, compressed: PageAssets.read("\(folder)/\(name).gz"), type: PageAssets.type(of: name),
                tag: "\"\(tag)\"")
        }
        guard assets["index.html"] != nil else { return nil }
    }

    /// A file's bytes; nil if it cannot be read or is longer than `limit`.
    private static func read(_ path: String) -> [UInt8]? {
        guard let bytes = try? SmallFile.read(path, upTo: limit + 1), bytes.count <= limit else { return nil }
        return bytes
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    /// Answers with a file, or with status 304 if the browser's copy is still current.
    func serve(_ name: String, to exchange: Exchange) {
        guard let asset = assets[name] else { return exchange.refuse(Refusal(404, "There is nothing of this name.")) }
        let caching = [("Cache-Control", "no-cache"), ("ETag", asset.tag), ("Vary", "Accept-Encoding")]
        if exchange.header("If-None-Match") == asset.tag {
            return exchange.answer(304, [], type: asset.type, headers: caching)
        }
        // The text is searched by hand, since `String.contains("gzip")` would make the program load Swift's library for
        // regular expressions.
        let codings = exchange.header("Accept-Encoding")?.split(separator: ",") ?? []
        let takesGzip = codings.contains { $0.drop { $0 == " " }.hasPrefix("gzip") }
        if takesGzip, let compressed = asset.compressed {
            return exchange.answer(200, compressed, type: asset.type, headers: caching + [("Content-Encoding", "gzip")])
        }
        exchange.answer(200, asset.bytes, type: asset.type, headers: caching)
    }
}
