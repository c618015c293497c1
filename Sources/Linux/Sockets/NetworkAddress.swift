internal import CSextantLinux

/// Numeric network addresses of this host, as the kernel reports them.
public enum NetworkAddress {
    /// The address that a TCP socket is bound to.
    public static func bound(of socket: Int32) -> String? {
        // Safety: the buffer lives for the call.
        unsafe text(64) { unsafe clinux_tcp_address(socket, $0, $1) }
    }

    /// The address from which this host would send to another host; nil if there is no route to it.
    ///
    /// The lookup sends nothing.
    public static func towards(_ other: String) -> String? {
        // Safety: the buffer lives for the call.
        unsafe text(64) { unsafe clinux_address_towards(other, $0, $1) }
    }

    /// The addresses at which other hosts can reach this host, each as the text "INTERFACE ADDRESS/PREFIX".
    public static func own() -> [String] {
        // Safety: the buffer lives for the call.
        let lines = unsafe text(8192) { unsafe clinux_own_addresses($0, $1) }
        return (lines ?? "").split(separator: "\n").map { String($0) }
    }

    /// An address and a port as they are written in a URL.
    public static func withPort(_ address: String, _ port: UInt16) -> String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private static func text(_ size: Int, _ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String? {
        var text = [CChar](repeating: 0, count: size)
        // Safety: the C function writes a zero-terminated string of at most the buffer's count.
        let result = unsafe text.withUnsafeMutableBufferPointer { unsafe write($0.baseAddress, $0.count) }
        guard result == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
