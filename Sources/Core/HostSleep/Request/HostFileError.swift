/// Why the content of a file that the daemon and the host-sleep helper exchange is refused.
public enum HostFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's content is not a JSON object; the text says what is wrong with it.
    case notJSON(String)
    case missing(String)
    case wrong(key: String, expected: String)
    case unknown(key: String)
    /// The file's checksum does not fit its content.
    case wrongDigest

    public var description: String {
        switch self {
        case .notJSON(let detail): "not a JSON object: \(detail)"
        case .missing(let key): "\(key): missing"
        case .wrong(let key, let expected): "\(key): must be \(expected)"
        case .unknown(let key): "\(key): unknown key; sextantd and sextant-host must be of one version"
        case .wrongDigest: "digest: not that of this content; it was damaged, or written by another program"
        }
    }
}
