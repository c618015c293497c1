/// A path in the file system, and the file, folder or device to which it leads.
struct NodeFacts: Sendable, Equatable {
    /// The path as it was asked for.
    var path: String
    /// The path after following all links; nil if it leads nowhere.
    var resolved: String?
    var entry: FileEntry?
    /// The udev properties of a device, such as `SEXTANT_DEVICE=1`.
    var properties: Set<String> = []

    init(_ path: String, _ files: some SystemFiles) {
        self.path = path
        resolved = files.resolved(path)
        entry = resolved.flatMap { files.entry(at: $0) }
        if case .characterDevice(let number)? = entry?.kind {
            properties = UdevDatabase.properties(of: number, files)
        }
    }
}

/// An I2C bus of the board, used by its sensors or by its supply switch.
struct BusFacts: Sendable, Equatable {
    /// The bus's name in the board's file: a device node, or the name of the adapter.
    var name: String
    /// The bus's number; nil if no adapter has the name that the board's file gives.
    var number: Int?
    /// Whether the kernel has the bus, even if there is no device node for it.
    var isKnownToKernel: Bool
    var node: NodeFacts?
    /// The names of the kernel drivers that are bound to chips on the bus, by the chip's I2C address.
    var drivers: [UInt8: String] = [:]
    /// The names of all I2C adapters of the system, by bus number.
    var adapters: [Int: String] = [:]

    init(_ name: String, _ files: some SystemFiles) {
        let devices = "/sys/bus/i2c/devices"
        self.name = name
        for entry in files.list(devices) where entry.hasPrefix("i2c-") {
            guard let number = Int(entry.dropFirst(4)) else { continue }
            adapters[number] = files.value(of: "\(devices)/\(entry)/name") ?? ""
        }
        let adapters = adapters
        let path = files.resolved(name) ?? name
        number =
            if path.hasPrefix("/dev/i2c-") {
                Int(path.dropFirst("/dev/i2c-".count))
            } else if path == "/dev/sextant/i2c" {
                // Sextant's udev rules give the name `/dev/sextant/i2c` to I2C bus 1, which is at GPIO2 and GPIO3.
                1
            } else {
                adapters.keys.sorted().first { adapters[$0] == name }
            }
        isKnownToKernel = number.map { adapters[$0] != nil } ?? false
        node = number.map { NodeFacts("/dev/i2c-\($0)", files) }
        guard let number else { return }
        for entry in files.list(devices) where entry.hasPrefix("\(number)-") {
            guard let address = UInt8(entry.dropFirst("\(number)-".count), radix: 16) else { continue }
            let driver = files.resolved("\(devices)/\(entry)/driver")
            drivers[address] = driver?.split(separator: "/").last.map(String.init)
        }
    }
}

/// The folder of the daemon's store, and the file system that it is on.
struct StorageFacts: Sendable, Equatable {
    var folder: NodeFacts
    /// The version of the store's database; nil if there is no database.
    var version: Int?
    var database: String
    /// The files in the store's folder that the daemon must be able to read and write.
    var files: [NodeFacts]
    /// The path of the file that keeps the owner's decisions about clients.
    var decisions: String
    /// Whether the file of the owner's decisions says that decisions were lost; nil if there is no readable file.
    var isInDoubt: Bool?
    /// Whether the file system is mounted read-only; nil if that is not known.
    var isReadOnly: Bool?
    var mountPoint: String?
    /// Whether the file system loses its content when the system restarts, as one in memory does.
    var isVolatile = false
    var freeBytes: UInt64?

    init(_ path: String, _ files: some SystemFiles) {
        folder = NodeFacts(path, files)
        database = "\(path)/state.sqlite"
        decisions = "\(path)/state.decisions"
        self.files = [database, decisions, "\(path)/state.lock"].map { NodeFacts($0, files) }
        isInDoubt = StorageFacts.doubt(files.resolved(decisions).flatMap { files.contents(of: $0) } ?? [])
        version = StorageFacts.version(files.resolved(database).flatMap { files.contents(of: $0) } ?? [])
        freeBytes = files.freeBytes(at: folder.resolved ?? "/")
        // Of the mounts whose mount point is above the folder, the one with the longest mount point has the
        // folder; of several equal ones, the last one listed: proc(5), `/proc/mounts`.
        for line in (files.text(of: "/proc/mounts") ?? "").split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count > 3, StorageFacts.holds(fields[1], path) else { continue }
            guard fields[1].count >= mountPoint?.count ?? 0 else { continue }
            mountPoint = fields[1]
            isReadOnly = fields[3].split(separator: ",").contains("ro")
            isVolatile = ["tmpfs", "ramfs", "overlay"].contains(fields[2])
        }
    }

    /// Whether the file of the owner's decisions (which clients may have locations) says that some were lost; nil if the
    /// bytes are no such file.
    private static func doubt(_ bytes: [UInt8]) -> Bool? {
        let head = Array("sextant decisions 1\n".utf8)
        return bytes.starts(with: head) && bytes.count > head.count ? bytes[head.count] != 0 : nil
    }

    private static func holds(_ point: String, _ path: String) -> Bool {
        point == "/" || path == point || path.hasPrefix(point + "/")
    }

    /// The user version in a database's header; nil if the bytes are no header.
    ///
    /// Source: SQLite, "Database File Format" 1.3: the user version is big-endian at offset 60.
    private static func version(_ head: [UInt8]) -> Int? {
        guard head.count >= 100, head.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
        return Int(head[60..<64].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}

/// How a system gets the time when it starts: from a clock with a battery, from the network, or not at all.
struct ClockFacts: Sendable, Equatable {
    var hasBatteryClock: Bool
    /// The service that gets the time from the network; nil if none is enabled.
    var service: String?

    init(_ units: SystemdUnits, _ files: some SystemFiles) {
        hasBatteryClock = files.list("/sys/class/rtc").contains { ClockFacts.keepsTime($0, files) }
        service = ["systemd-timesyncd", "chrony", "chronyd", "ntpsec", "ntp", "openntpd"]
            .first { units.isEnabled("\($0).service") }
    }

    /// The lowest voltage to which a Raspberry Pi 5 charges the cell of its clock, in microvolts.
    ///
    /// Source: Raspberry Pi documentation, Raspberry Pi 5, "Real Time Clock", `charging_voltage_min`.
    private static let minimumOfCell = 1_300_000

    /// Whether a real-time clock keeps the time while the board has no supply.
    ///
    /// A Raspberry Pi 5 has a clock even without a cell; other clocks do not report a cell and are assumed to have one.
    ///
    /// Source: Raspberry Pi's Linux, `drivers/rtc/rtc-rpi.c`, `battery_voltage`.
    private static func keepsTime(_ clock: String, _ files: some SystemFiles) -> Bool {
        guard let text = files.value(of: "/sys/class/rtc/\(clock)/battery_voltage"), let cell = Int(text)
        else { return true }
        return cell >= minimumOfCell
    }
}
