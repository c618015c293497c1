internal import SextantUnits

/// A kind of guest: how it boots, and where its UART, its bridge's pipe and its agent are.
///
/// The emulation uses one thread, because QEMU without KVM is faster in one thread than in several.
public struct GuestMachine: Sendable {
    /// The system that runs in the guest.
    public enum System: Sendable {
        /// This machine's programs on a kernel without any other system.
        case bare
        /// Debian as its installer leaves it, with systemd, on the guest's disk.
        case debian
    }

    public var system: System
    /// The kernel and first file system that `scripts/guests/bare-image` made.
    public var kernel: String
    public var ramdisk: String
    /// The disk with the daemon's state, or with Debian; its content outlives a reboot.
    public var disk: String
    /// The image that is copied to the disk before a scenario; nil where the scenario empties the disk itself.
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

    /// The guest in the words of a failure.
    var name: String {
        switch system {
        case .bare: "the bare guest"
        case .debian: "the guest with Debian"
        }
    }

    var console: String { folder + "/console.log" }

    /// QEMU's command; the guest's second UART is a terminal of the host, so that the host sees its rate.
    ///
    /// Standard input and output are sockets: one is the bridge's pipe and one the agent's, each in both directions.
    ///
    /// The processor does not call itself quick at copying strings (ERMS, FSRM): QEMU would carry that out byte by byte.
    ///
    /// - Parameter clock: The time of the guest's clock at its start.
    func command(serial terminal: String, clock: UTCInstant) -> [String] {
        [
            // The kernel kills the guest when the bench ends, however it ends.
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
            // What the guest writes is safe from its own end in this machine's memory; to wait for this machine's disk
            // at each of the guest's syncs would only make the guest slow.
            "-drive", "if=virtio,file=\(disk),format=raw,cache=unsafe",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        ]
    }

    /// A time as QEMU takes it, in UTC.
    private static func text(of instant: UTCInstant) -> String {
        let second = Int(instant.timeOfDay / 1_000_000_000)
        let fields = [Int(instant.date.month), Int(instant.date.day), second / 3600, second / 60 % 60, second % 60]
        let texts = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(instant.date.year)-\(texts[0])-\(texts[1])T\(texts[2...].joined(separator: ":"))"
    }

    /// Whether the guest's kernel said, as its last act, that it switches the machine off.
    var hasPoweredDown: Bool { ((try? Output.text(of: console)) ?? "").contains("reboot: Power down") }
}
