internal import SextantUnits

/// A kind of guest: how it boots, and the connections of its UART, its bridge and its agent.
///
/// QEMU's emulation uses one thread, because QEMU without KVM is faster with one thread than with several.
public struct GuestMachine: Sendable {
    /// The system that runs in the guest.
    public enum System: Sendable {
        /// A kernel with this machine's programs, without a distribution.
        case bare
        /// Debian as its installer leaves it, with systemd, installed on the guest's disk.
        case debian
    }

    public var system: System
    /// The kernel and the initial RAM disk that `scripts/guests/bare-image` made.
    public var kernel: String
    public var ramdisk: String
    /// The disk with the daemon's state, or with Debian; its content survives a reboot.
    public var disk: String
    /// The image that is copied to the disk before a scenario; nil if the scenario empties the disk itself.
    public var cleanDisk: String?
    /// The folder for the guest's log.
    public var folder: String

    public init(_ system: System, kernel: String, ramdisk: String, disk: String, folder: String) {
        self.system = system
        self.kernel = kernel
        self.ramdisk = ramdisk
        self.disk = disk
        self.folder = folder
    }

    /// The guest's UART that leads to the receiver.
    public static let serialDevice = "/dev/ttyS1"

    /// The guest's name in the text of a failure.
    var name: String {
        switch system {
        case .bare: "the bare guest"
        case .debian: "the guest with Debian"
        }
    }

    var console: String { folder + "/console.log" }

    /// QEMU's command; the guest's second UART is a terminal of the host, so that the host sees its rate.
    ///
    /// Standard input and standard output are sockets, used in both directions: one for the bridge and one for the
    /// agent.
    ///
    /// The emulated processor does not announce fast string copying (ERMS, FSRM), because QEMU emulates that byte by
    /// byte.
    ///
    /// - Parameter clock: The time of the guest's clock at its start.
    func command(serial terminal: String, clock: UTCInstant) -> [String] {
        [
            // The kernel kills the guest when the bench ends, in whatever way the bench ends.
            "setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=single", "-cpu",
            "max,erms=off,fsrm=off", "-m", "512",
            "-rtc", "base=\(GuestMachine.text(of: clock))",
            "-nodefaults", "-nographic", "-no-reboot", "-kernel", kernel, "-initrd", ramdisk,
            "-append", "console=ttyS0 quiet panic=-1 tsc=unstable maxcpus=1 cryptomgr.notests 8250.nr_uarts=4",
            "-serial", "file:\(console)",
            "-chardev", "serial,id=uart,path=\(terminal)", "-serial", "chardev:uart",
            "-chardev", "socket,id=bridge,fd=0",
            "-chardev", "socket,id=agent,fd=1",
            "-device", "virtio-serial-pci",
            "-device", "virtserialport,chardev=bridge,name=sextant.bridge",
            "-device", "virtserialport,chardev=agent,name=sextant.agent",
            // Data that the guest has written survives the guest's end in this machine's memory. Waiting for this
            // machine's disk at each sync of the guest would only slow the guest down.
            "-drive", "if=virtio,file=\(disk),format=raw,cache=unsafe",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        ]
    }

    /// A time in UTC, in QEMU's format.
    private static func text(of instant: UTCInstant) -> String {
        let second = Int(instant.timeOfDay / 1_000_000_000)
        let fields = [Int(instant.date.month), Int(instant.date.day), second / 3600, second / 60 % 60, second % 60]
        let texts = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(instant.date.year)-\(texts[0])-\(texts[1])T\(texts[2...].joined(separator: ":"))"
    }

    /// Whether the last message of the guest's kernel says that it switches the machine off.
    var hasPoweredDown: Bool { ((try? Output.text(of: console)) ?? "").contains("reboot: Power down") }
}
