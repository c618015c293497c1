/// Whether and how Bluetooth can be used on a system, as the kernel's files show it.
struct BluetoothFacts: Sendable, Equatable {
    /// The kernel's release, such as `6.1.0-56-amd64`; nil if the examined system is not running, for example if it is
    /// on a mounted card.
    var release: String?
    /// Whether the kernel's Bluetooth module is loaded or built in.
    var isLoaded: Bool
    /// The names of the Bluetooth controllers, such as `hci0`.
    var controllers: [String]
    /// What keeps a Bluetooth radio off, by the radio's name in `/sys/class/rfkill`; a radio that is not blocked is not
    /// listed.
    var blocks: [String: Block]
    /// Whether `nsenter` is installed, which the daemon's unit uses to enter the first network namespace.
    var hasNsenter: Bool

    /// The kind of an rfkill block.
    ///
    /// Source: Linux, `Documentation/ABI/stable/sysfs-class-rfkill`.
    enum Block: Sendable, Equatable {
        /// A program blocks the radio and can unblock it.
        case soft
        /// A hardware switch blocks the radio, and only that switch can unblock it.
        case hard
    }

    init(_ files: some SystemFiles) {
        release = files.value(of: "/proc/sys/kernel/osrelease")
        isLoaded = files.exists("/sys/class/bluetooth")
        // Names such as hci0:64 in this folder are connections, not controllers.
        controllers = files.list("/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        blocks = [:]
        let folder = "/sys/class/rfkill"
        for name in files.list(folder) where files.value(of: "\(folder)/\(name)/type") == "bluetooth" {
            if files.value(of: "\(folder)/\(name)/hard") == "1" {
                blocks[name] = .hard
            } else if files.value(of: "\(folder)/\(name)/soft") == "1" {
                blocks[name] = .soft
            }
        }
        hasNsenter = files.exists("/usr/bin/nsenter")
    }

    /// The first two numbers of the kernel's release; nil if they are unknown.
    var version: (major: Int, minor: Int)? {
        guard let parts = release?.split(separator: ".", maxSplits: 2), parts.count > 1, let major = Int(parts[0]),
            let minor = Int(parts[1].prefix { $0.isNumber })
        else { return nil }
        return (major, minor)
    }
}
