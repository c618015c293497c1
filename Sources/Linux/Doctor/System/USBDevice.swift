/// The device at USB that a serial port belongs to.
struct USBDevice: Sendable, Equatable {
    /// Four hexadecimal digits each, as udev's rules have them.
    let vendor: String
    let product: String
    /// Nil where the device has none, as the cheapest do not.
    let serial: String?
    /// What udev knows of it, such as `ID_BUS=usb`.
    let properties: Set<String>

    /// - Parameter tty: The port's name, such as `ttyUSB0`.
    init?(ofTTY tty: String, _ files: some SystemFiles) {
        // The port is its interface's, or a port of that.
        guard let folder = files.resolved("/sys/class/tty/\(tty)/device"),
            let path = ["\(folder)/..", "\(folder)/../.."].first(where: { files.exists("\($0)/idVendor") })
        else { return nil }
        vendor = files.value(of: "\(path)/idVendor") ?? ""
        product = files.value(of: "\(path)/idProduct") ?? ""
        serial = files.value(of: "\(path)/serial")
        properties = files.value(of: "\(path)/dev").map { UdevDatabase.properties(of: $0, files) } ?? []
    }

    /// Whether it is a receiver of u-blox' own, which Sextant's rules know; their modems have other products.
    var isKnownReceiver: Bool {
        vendor == "1546" && product.count == 4 && ["01a", "050"].contains(product.prefix(3))
    }

    /// The udev match keys of its serial port; without a serial number they match every device of its kind.
    var match: String {
        let number = serial.map { ", ATTRS{serial}==\"\($0)\"" } ?? ""
        return "SUBSYSTEM==\"tty\", SUBSYSTEMS==\"usb\", "
            + "ATTRS{idVendor}==\"\(vendor)\", ATTRS{idProduct}==\"\(product)\"\(number)"
    }
}

/// What udev wrote down when its rules last looked at a device.
enum UdevDatabase {
    /// The properties of a device with a node, such as `SEXTANT_DEVICE=1`; none where udev does not run.
    ///
    /// Source: systemd, `src/libsystemd/sd-device`: a text file per device, with a line `E:` for each property.
    /// - Parameter number: Its major and minor number, as `188:0`; of a character device.
    static func properties(of number: String, _ files: some SystemFiles) -> Set<String> {
        let text = files.text(of: "/run/udev/data/c\(number)") ?? ""
        return Set(text.numberedLines.filter { $0.text.hasPrefix("E:") }.map { String($0.text.dropFirst(2)) })
    }

    /// The same, by the number that the kernel has for both.
    ///
    /// Source: makedev(3) of glibc: eight bits of the minor number are below twelve of the major, the rest is above.
    static func properties(of number: UInt64, _ files: some SystemFiles) -> Set<String> {
        let major = number >> 8 & 0xfff | number >> 32 & ~0xfff
        let minor = number & 0xff | number >> 12 & 0xffff_ff00
        return properties(of: "\(major):\(minor)", files)
    }
}
