internal import CSextantLinux

/// Numeric network addresses of this host, as the kernel tells them.
public enum NetworkAddress {
    /// The address that a TCP socket is bound to.
    public static func bound(of socket: Int32) -> String? {
        // Safety: the buffer lives for the call.
        unsafe text(64) { unsafe clinux_tcp_address(socket, $0, $1) }
    }

    /// The address from which this host would reach another one; nil where no route leads there.
    ///
    /// Nothing is sent.
    public static func towards(_ other: String) -> String? {
        // Safety: the buffer lives for the call.
        unsafe text(64) { unsafe clinux_address_towards(other, $0, $1) }
    }

    /// The addresses by which other hosts may reach this one, a line "INTERFACE ADDRESS/PREFIX" each.
    public static func own() -> [String] {
        // Safety: the buffer lives for the call.
        let lines = unsafe text(8192) { unsafe clinux_own_addresses($0, $1) }
        return (lines ?? "").split(separator: "\n").map { String($0) }
    }

    /// An address and a port as they stand in a URL.
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
