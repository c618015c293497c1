import Accelerometers
import Boards
import Doctor
import Hardware
import Magnetism
import Magnetometers
import Receivers
import Testing

/// Systems as they are after an installation, with nothing wrong; typed from Raspberry Pi OS's own files.
struct System: CustomTestStringConvertible {
    var tree = SystemTree()
    var installation: Installation
    var live = LiveFacts()

    /// The configuration of Raspberry Pi OS "bookworm" as it is shipped.
    static let shippedConfiguration = """
        # For more options and information see
        # http://rptl.io/configtxt
        # Some settings may impact device functionality. See link above for details

        # Uncomment some or all of these to enable the optional hardware interfaces
        #dtparam=i2c_arm=on
        #dtparam=i2s=on
        #dtparam=spi=on

        # Enable audio (loads snd_bcm2835)
        dtparam=audio=on

        # Automatically load overlays for detected cameras
        camera_auto_detect=1

        # Automatically load overlays for detected DSI displays
        display_auto_detect=1

        # Automatically load initramfs files, if found
        auto_initramfs=1

        # Enable DRM VC4 V3D driver
        dtoverlay=vc4-kms-v3d
        max_framebuffers=2

        # Run in 64-bit mode
        arm_64bit=1

        # Run as fast as firmware / board allows
        arm_boost=1

        [cm4]
        # Enable host mode on the 2711 built-in XHCI USB controller.
        otg_mode=1

        [cm5]
        dtoverlay=dwc2,dr_mode=host

        [all]

        """

    /// The same as it is to be: I2C on, and what the model's UART needs.
    static func configuration(_ additions: String...) -> String {
        let text = shippedConfiguration.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0 == "#dtparam=i2c_arm=on" ? "dtparam=i2c_arm=on" : String($0) }.joined(separator: "\n")
        return text + additions.map { "\($0)\n" }.joined()
    }

    private init(model: String, host: HostModel?, device: String) {
        installation = Installation(configuration: "/etc/sextant/sextant.json5", knownStoreVersion: 2)
        installation.device = device
        installation.board = System.board(device: device)
        installation.board?.hostModel = host
        installation.stateDirectory = "/var/lib/sextant"
        installation.clientFiles = ["/etc/sextant/clients.d", "/etc/sextant/policy.json5"]
        tree["/sys/firmware/devicetree/base/model"] = model + "\0"
        tree["/sys/firmware/devicetree/base/serial-number"] = "10000000abcd1234\0"
        tree.link("/proc/device-tree", to: "/sys/firmware/devicetree/base")
        tree["/proc/cmdline"] = "coherent_pool=1M 8250.nr_uarts=1 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        tree["/proc/mounts"] = """
            /dev/mmcblk0p2 / ext4 rw,noatime 0 0
            proc /proc proc rw,relatime 0 0
            /dev/mmcblk0p1 /boot/firmware vfat rw,relatime 0 0
            """
        addAccounts()
        addServices()
        addSensors()
        addLines()
    }

    private mutating func addAccounts() {
        tree["/etc/passwd"] = """
            root:x:0:0:root:/root:/bin/bash
            pi:x:1000:1000:,,,:/home/pi:/bin/bash
            sextant:x:995:994:Sextant,,,:/nonexistent:/usr/sbin/nologin
            """
        tree["/etc/group"] = """
            root:x:0:
            dialout:x:20:pi
            pi:x:1000:
            i2c:x:998:pi
            gpio:x:997:pi
            sextant:x:994:
            """
    }

    private mutating func addServices() {
        tree["/lib/systemd/system/sextantd.service"] = """
            [Unit]
            Description=Location daemon
            [Service]
            ExecStart=/usr/sbin/sextantd
            User=sextant
            Group=sextant
            """
        tree.link(
            "/etc/systemd/system/multi-user.target.wants/sextantd.service", to: "/lib/systemd/system/sextantd.service")
        tree.link(
            "/etc/systemd/system/sysinit.target.wants/systemd-timesyncd.service",
            to: "/lib/systemd/system/systemd-timesyncd.service")
        tree["/lib/udev/rules.d/60-sextant.rules"] =
            "ENV{SEXTANT_DEVICE}==\"1\", RUN+=\"/usr/bin/setfacl -m u:sextant:rw- $devnode\"\n"
        tree.folder("/var/lib/sextant", owner: 995, mode: 0o700)
        tree["/etc/sextant/policy.json5"] = "{}"
        tree["/etc/sextant/clients.d/command.json5"] = "{}"
        process(412, "sextantd", terminal: 0, open: ["socket:[4711]"])
    }

    private mutating func addSensors() {
        tree["/etc/modules"] = "# /etc/modules\ni2c-dev\n"
        tree["/sys/bus/i2c/devices/i2c-1/name"] = "bcm2835 (i2c@7e804000)\n"
        give("/dev/i2c-1", 89, 1, group: 998)
        live.sensors = [
            SensorAnswer(role: "magnetometer", problem: nil), SensorAnswer(role: "accelerometer", problem: nil),
        ]
    }

    private mutating func addLines() {
        give("/dev/gpiochip0", 254, 0, group: 997)
        live.gpioChips = [
            GPIOChipFacts(
                label: "pinctrl-bcm2835",
                lines: (0..<54).map { number in
                    let isOurs = [17, 22, 27].contains(number)
                    return GPIOChipFacts.Line(name: "GPIO\(number)", consumer: isOurs ? "sextant" : nil)
                })
        ]
    }

    /// A tracker's board: lines, and a compass with an accelerometer.
    private static func board(device: String) -> Board {
        var board = Board(
            name: "tracker",
            receiver: BoardReceiver(
                model: .neoM8N, device: device, baud: nil, supplyVolts: 3.3, draw: ReceiverModel.neoM8N.powerDraw),
            lines: [:], backup: .battery, motion: MotionSensor(sensor: "lis3dh", milliwatts: 0.02),
            host: HostPower(idleMilliwatts: 600, wakeMillijoules: 0.6), batteryWattHours: nil)
        for (role, name) in [
            (LineRole.powerEnable, "GPIO17"), (.wake, "GPIO27"), (.pulsePerSecond, "GPIO18"),
            (.motionInterrupt, "GPIO22"),
        ] {
            board.lines[role] = BoardLine(
                name: name, activeLow: false, safe: role.isOutput ? .inactive : nil, bias: .asIs)
        }
        board.sensors = BoardSensors(
            bus: "/dev/i2c-1",
            magnetometer: BoardChip(model: .qmc5883l, address: I2CAddress(0x0D), mounting: .aligned),
            accelerometer: BoardChip(model: .lis3dh, address: I2CAddress(0x18), mounting: .aligned))
        return board
    }

    /// A device as the system has it, which Sextant's udev rules give to the daemon besides.
    mutating func give(_ path: String, _ major: UInt64, _ minor: UInt64, group: UInt32) {
        tree.device(path, major, minor, group: group)
        tree.grant(path, user: 995)
        tree["/run/udev/data/c\(major):\(minor)"] = "E:SEXTANT_DEVICE=1\nV:1\n"
    }

    /// A serial port at USB, and what udev knows of the port.
    mutating func plugIn(_ tty: String, _ vendor: String, _ product: String, serial: String?, udev: String = "") {
        let isBridge = tty.hasPrefix("ttyUSB")
        let device = "/sys/devices/platform/usb1/1-1"
        let port = isBridge ? "\(device)/1-1:1.0/\(tty)" : "\(device)/1-1:1.0"
        tree["\(device)/idVendor"] = "\(vendor)\n"
        tree["\(device)/idProduct"] = "\(product)\n"
        tree["\(device)/serial"] = serial.map { "\($0)\n" }
        tree["\(device)/dev"] = "189:2\n"
        tree["\(port)/tty/\(tty)/dev"] = isBridge ? "188:0\n" : "166:0\n"
        tree.link("\(port)/tty/\(tty)/device", to: "../../../\(isBridge ? tty : "1-1:1.0")")
        tree.link("/sys/class/tty/\(tty)", to: "../..\(port.dropFirst(4))/tty/\(tty)")
        give("/dev/\(tty)", isBridge ? 188 : 166, 0, group: 20)
        tree["/run/udev/data/c\(isBridge ? 188 : 166):0"] = "E:ID_BUS=usb\n\(udev)"
    }

    mutating func process(_ id: Int, _ command: String, terminal: UInt64, open: [String] = []) {
        tree["/proc/\(id)/comm"] = command + "\n"
        tree["/proc/\(id)/stat"] = "\(id) (\(command)) S 1 \(id) \(id) \(terminal) -1 4194560 163 0 0\n"
        for (number, path) in open.enumerated() { tree.link("/proc/\(id)/fd/\(number + 3)", to: path) }
    }

    mutating func enable(_ unit: String, in target: String = "multi-user.target") {
        tree.link("/etc/systemd/system/\(target).wants/\(unit)", to: "/lib/systemd/system/\(unit)")
    }

    /// As the kernel runs without the bus at GPIO2 and GPIO3.
    mutating func switchI2COff() {
        tree.remove("/dev/i2c-1")
        tree.remove("/sys/bus/i2c")
    }

    // MARK: Models

    private mutating func boot(_ configuration: String, folder: String = "/boot/firmware") {
        tree["\(folder)/config.txt"] = configuration
        tree["\(folder)/cmdline.txt"] =
            "console=tty1 root=PARTUUID=4e639091-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
        for name in [
            "vc4-kms-v3d", "disable-bt", "disable-wifi", "miniuart-bt", "pps-gpio", "w1-gpio", "gpio-fan", "dwc2",
        ] { tree["\(folder)/overlays/\(name).dtbo"] = "" }
    }

    private mutating func bookworm() {
        tree["/boot/config.txt"] = """
            DO NOT EDIT THIS FILE

            The file you are looking for has moved to /boot/firmware/config.txt

            """
    }

    private mutating func mini() {
        give("/dev/ttyS0", 4, 64, group: 20)
        tree.link("/dev/serial0", to: "ttyS0")
    }

    private mutating func pl011() {
        give("/dev/ttyAMA0", 204, 64, group: 20)
        tree.link("/dev/serial0", to: "ttyAMA0")
    }

    static var zero2W: System {
        var system = System(model: "Raspberry Pi Zero 2 W Rev 1.0", host: .zero2W, device: "/dev/serial0")
        system.boot(configuration("enable_uart=1"))
        system.bookworm()
        system.mini()
        return system
    }

    static var threeBPlus: System {
        var system = System(model: "Raspberry Pi 3 Model B Plus Rev 1.3", host: .threeBPlus, device: "/dev/serial0")
        system.boot(configuration("enable_uart=1", "dtoverlay=disable-bt"))
        system.bookworm()
        system.pl011()
        return system
    }

    /// Before Debian 12 the boot partition was at `/boot`.
    static var olderThreeBPlus: System {
        var system = System(model: "Raspberry Pi 3 Model B Plus Rev 1.3", host: .threeBPlus, device: "/dev/serial0")
        system.boot(configuration("enable_uart=1", "dtoverlay=pi3-disable-bt"), folder: "/boot")
        system.pl011()
        return system
    }

    static var fourB: System {
        var system = System(model: "Raspberry Pi 4 Model B Rev 1.4", host: .fourB, device: "/dev/ttyAMA0")
        system.boot(configuration("enable_uart=1", "dtoverlay=miniuart-bt"))
        system.bookworm()
        system.pl011()
        return system
    }

    static var fiveB: System {
        var system = System(model: "Raspberry Pi 5 Model B Rev 1.0", host: .five, device: "/dev/ttyAMA0")
        system.boot(configuration("dtparam=uart0=on"))
        system.bookworm()
        system.give("/dev/ttyAMA0", 204, 64, group: 20)
        system.tree.device("/dev/ttyAMA10", 204, 74, group: 20)
        system.tree.link("/dev/serial0", to: "ttyAMA10")
        return system
    }

    static var computeModule4: System {
        var system = System(
            model: "Raspberry Pi Compute Module 4 Rev 1.0", host: .computeModule4, device: "/dev/serial0")
        system.boot(configuration("enable_uart=1", "dtoverlay=disable-bt"))
        system.bookworm()
        system.pl011()
        return system
    }

    /// Debian's own kernel and device tree, started by an emulator: no boot partition at all.
    static var emulated: System {
        var system = System(model: "Raspberry Pi 3 Model B", host: .threeBPlus, device: "/dev/ttyAMA0")
        system.tree["/proc/cmdline"] = "console=ttyS1,115200 quiet loglevel=1 panic=-1 maxcpus=1\n"
        system.give("/dev/ttyAMA0", 204, 64, group: 20)
        return system
    }

    // MARK: Examining

    var testDescription: String { installation.board?.hostModel?.rawValue ?? "a system" }

    var facts: HostFacts { HostFacts(files: tree, installation: installation, live: live) }

    var examination: Examination { Examination(facts) }

    /// What is to be mended, a line each.
    var troubles: [String] {
        examination.findings.filter { $0.severity != .note }.map { "\($0.check.rawValue): \($0.line)" }
    }
}
