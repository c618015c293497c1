internal import CMosquitto
internal import CSextantLinux
internal import Configuration
internal import Glibc
internal import Store

extension UplinkService {
    /// Limits this process's memory, so that an MQTT packet that the broker announces as huge is refused at once, and
    /// not waited for.
    public static func boundMemory() {
        // The limit of 128 MB is half of the longest MQTT packet (256 MB), and leaves room for threads, whose stacks
        // count as 8 MB each.
        cmosquitto_bound_memory(128 << 20)
    }

    /// The text of the systemd drop-in that permits network access to the present addresses of the broker and the name
    /// servers.
    public static func dropIn(_ paths: Paths) throws -> String {
        let settings: UplinkSettings
        do throws(ConfigurationError) {
            settings = try UplinkSettings.read(from: paths.config, machine: paths.machine)
        } catch {
            throw Failure(description: "\(error)", status: 78)
        }
        let addresses = addresses(of: settings.broker.host)
        guard !addresses.isEmpty else {
            throw Failure(
                description: "\(settings.broker.host): no such host now; try again with a network", status: 69)
        }
        return """
            # Written by sextant-uplink --drop-in for \(settings.broker.text). Write it anew when the broker's address changes.
            [Service]
            IPAddressAllow=\((addresses + nameServers()).joined(separator: " "))

            """
    }

    private static func addresses(of host: String) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // Safety: the C library makes the list, which is read here and then released by the C library.
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = unsafe getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let named = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let address = withoutZone(named)
            if code == 0, !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    /// The addresses in the `nameserver` lines of /etc/resolv.conf (resolv.conf(5)).
    private static func nameServers() -> [String] {
        guard let bytes = ((try? StoreFile.read("/etc/resolv.conf", upTo: 65_536)) ?? nil) else { return [] }
        return nameServers(in: String(decoding: bytes, as: UTF8.self))
    }

    static func nameServers(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count >= 2 && words[0] == "nameserver" ? withoutZone(words[1]) : nil
        }
    }

    /// An address without the network interface behind it, as in `fe80::1%wlan0`, which systemd does not take.
    private static func withoutZone(_ address: some StringProtocol) -> String { String(address.prefix { $0 != "%" }) }
}
