import SextantReactor

/// The kernel's random identifier of the running boot.
public enum BootIdentifier {
    /// The identifier's 36 characters, without the end of the line; empty if it cannot be read.
    public static var current: String {
        let bytes = (try? SmallFile.read("/proc/sys/kernel/random/boot_id", upTo: 64)) ?? []
        return String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }
}
