internal import SextantUnits

/// A virtual machine in QEMU: how it boots, and where its UART, its CP2112 bridge and its agent are connected.
///
/// QEMU's emulation uses one thread, because QEMU without KVM is faster with one thread than with several.
public struct GuestMachine: Sendable {
    /// The system that runs in the guest.
    public enum System: Sendable {
        /// A kernel with programs from this machine, without a distribution.
        case bare
        /// Debian as its installer leaves it, with systemd, installed on the guest's disk.
        case debian
    }

    public var system: System
    /// The kernel and the initial RAM disk that `scripts/guests/bare-image` made.
    public var kernel: String
    public var ramdisk: String
    /// The guest's disk image, with the daemon's state or with Debian; its content survives a reboot.
    public var disk: String
    /// The image that replaces the disk's content when the guest needs a fresh disk; nil if the scenario empties the
    /// disk itself.
    public var cleanDisk: String?
    /// The folder for the log of the guest's console.
    public var folder: String

    public init(_ system: System, kernel: String, ramdisk: String, disk: String, folder: String) {
        self.system = system
        self.kernel = kernel
        self.ramdisk = ramdisk
        self.disk = disk
        self.folder = folder
    }

    /// The device file, in the guest, of the UART that leads to the receiver.
    public static let serialDevice = "/dev/ttyS1"

    /// The guest's name in the messages of failures.
    var name: String {
        switch system {
        case .bare: "the bare guest"
        case .debian: "the guest with Debian"
        }
    }

    var console: String { folder + "/console.log" }

    /// The command line of the guest's kernel.
    ///
    /// The kernel does not test at its start whether timer interrupts come in time (`no_timer_check`): on a busy machine
    /// they come late, and the kernel then takes the timer for broken and panics.
    private static let kernelOptions =
        "console=ttyS0 quiet panic=-1 tsc=unstable no_timer_check maxcpus=1 cryptomgr.notests 8250.nr_uarts=4"

    /// The command that starts QEMU; the guest's second UART is a pseudo-terminal of this machine, so that the bench
    /// can see the guest's baud rate.
    ///
    /// QEMU's standard input and standard output are sockets, each used in both directions: the input for the CP2112
    /// bridge, the output for the agent.
    ///
    /// The emulated processor does not announce fast string copying (ERMS, FSRM), because QEMU emulates that byte by
    /// byte.
    ///
    /// - Parameter clock: The time that the guest's clock shows at its start.
    func command(serial terminal: String, clock: UTCInstant) -> [String] {
        [
            // This machine's kernel kills QEMU when the bench ends, for whatever reason the bench ends.
            "setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=single", "-cpu",
            "max,erms=off,fsrm=off", "-m", "512",
            "-rtc", "base=\(GuestMachine.text(of: clock))",
            "-nodefaults", "-nographic", "-no-reboot", "-kernel", kernel, "-initrd", ramdisk,
            "-append", GuestMachine.kernelOptions,
            "-serial", "file:\(console)",
            "-chardev", "serial,id=uart,path=\(terminal)", "-serial", "chardev:uart",
            "-chardev", "socket,id=bridge,fd=0",
            "-chardev", "socket,id=agent,fd=1",
            "-device", "virtio-serial-pci",
            "-device", "virtserialport,chardev=bridge,name=sextant.bridge",
            "-device", "virtserialport,chardev=agent,name=sextant.agent",
            // The guest's disk writes stay in this machine's memory, where they survive the end of QEMU. To wait for
            // this machine's disk at each sync of the guest would only slow the guest down.
            "-drive", "if=virtio,file=\(disk),format=raw,cache=unsafe",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        ]
    }

    /// Formats a UTC time as QEMU's option `-rtc` expects it.
    private static func text(of instant: UTCInstant) -> String {
        let second = Int(instant.timeOfDay / 1_000_000_000)
        let fields = [Int(instant.date.month), Int(instant.date.day), second / 3600, second / 60 % 60, second % 60]
        let texts = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(instant.date.year)-\(texts[0])-\(texts[1])T\(texts[2...].joined(separator: ":"))"
    }

    /// Whether the guest's kernel has reported that it switches the machine off.
    var hasPoweredDown: Bool { ((try? Output.text(of: console)) ?? "").contains("reboot: Power down") }
}
