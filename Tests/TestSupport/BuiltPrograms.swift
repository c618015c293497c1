internal import Glibc

/// The package's own programs, which tests run.
public enum BuiltPrograms {
    /// The folder of the programs: that of `SEXTANT_PROGRAMS`, or else that of the test bundle.
    public static let folder: String = {
        // Safety: the text is copied at once, and no test changes the environment.
        if let named = unsafe getenv("SEXTANT_PROGRAMS") { return unsafe String(cString: named) }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safety: no more than the array's count is written, and its last byte stays zero.
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let text = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text[..<(text.lastIndex(of: "/") ?? text.startIndex)])
    }()

    /// The path of a program.
    public static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
