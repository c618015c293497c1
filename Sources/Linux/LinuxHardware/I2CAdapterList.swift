import CI2C
import CSextantLinux
import Hardware

/// An I2C adapter of this machine: its device node, and the name that its driver gives it.
struct I2CAdapterNode: Equatable {
    var path: String
    /// The adapter's name, such as `bcm2835 (i2c@7e804000)`; nil if the kernel does not tell it.
    var name: String?

    var description: String { name.map { "\(path) (\($0))" } ?? path }
}

struct I2CAdapterList {
    /// The adapters that have a device node.
    var nodes: [I2CAdapterNode]
    /// Whether the kernel has any adapter, with a device node or without.
    var kernelHasAny: Bool

    static func present() -> I2CAdapterList {
        let nodes = KernelFiles.names(in: "/dev").filter { $0.hasPrefix("i2c-") }
            .filter { isAdapter("/dev/\($0)") }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            .map { I2CAdapterNode(path: "/dev/\($0)", name: kernelName(of: $0)) }
        let kernelHasAny = KernelFiles.names(in: "/sys/bus/i2c/devices").contains { $0.hasPrefix("i2c-") }
        return I2CAdapterList(nodes: nodes, kernelHasAny: kernelHasAny || !nodes.isEmpty)
    }

    /// Whether a path leads to an adapter's device node.
    static func isAdapter(_ path: String) -> Bool {
        guard let status = try? FileStatus(path: path), status.kind == .characterDevice else { return false }
        return clinux_device_major(status.device) == UInt32(ci2c_major)
    }

    private static func kernelName(of node: String) -> String? {
        guard let text = try? KernelFiles.contents(of: "/sys/class/i2c-dev/\(node)/name") else { return nil }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The device node of an I2C bus that a board's file names, by a path or by the name of exactly one adapter.
    func path(of bus: String) throws(BusError) -> String {
        guard !bus.hasPrefix("/") else { return bus }
        let hits = nodes.filter { $0.name == bus }
        guard let hit = hits.first else { throw missing(bus) }
        guard hits.count == 1 else {
            let paths = hits.map(\.path).joined(separator: ", ")
            throw BusError(.notFound, bus: bus, cause: "several adapters have this name; choose one of \(paths)")
        }
        return hit.path
    }

    /// The error for an adapter that does not exist, with the remedy.
    func missing(_ bus: String) -> BusError { BusError(.notFound, bus: bus, cause: "no such I2C adapter; \(mend)") }

    /// The error for a device that is not an I2C adapter, with the remedy.
    func foreign(_ bus: String) -> BusError {
        BusError(.unsupported, bus: bus, cause: "this is not an I2C adapter; \(mend)")
    }

    private var mend: String {
        if !nodes.isEmpty { return "there are \(nodes.map(\.description).joined(separator: ", "))" }
        guard !kernelHasAny else { return "the kernel has adapters without device nodes: sudo modprobe i2c-dev" }
        return "there is no I2C adapter here: on a Raspberry Pi put dtparam=i2c_arm=on in config.txt and i2c-dev in "
            + "/etc/modules (sudo raspi-config, Interface, I2C, does both), then restart"
    }
}
