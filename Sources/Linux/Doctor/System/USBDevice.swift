/// The USB device that has a serial port.
struct USBDevice: Sendable, Equatable {
    /// The vendor ID as four hexadecimal digits, as in udev's rules.
    let vendor: String
    let product: String
    /// The serial number; nil if the device has none, which is common among cheap ones.
    let serial: String?
    /// The udev properties of the device, such as `ID_BUS=usb`.
    let properties: Set<String>

    /// - Parameter tty: The port's name, such as `ttyUSB0`.
    init?(ofTTY tty: String, _ files: some SystemFiles) {
        // This is the folder of the USB interface, or of a port of the interface; the USB device's folder is one or two
        // levels above it.
        guard let folder = files.resolved("/sys/class/tty/\(tty)/device"),
            let path = ["\(folder)/..", "\(folder)/../.."].first(where: { files.exists("\($0)/idVendor") })
        else { return nil }
        vendor = files.value(of: "\(path)/idVendor") ?? ""
        product = files.value(of: "\(path)/idProduct") ?? ""
        serial = files.value(of: "\(path)/serial")
        properties = files.value(of: "\(path)/dev").map { UdevDatabase.properties(of: $0, files) } ?? []
    }

    /// Whether the device is a u-blox receiver, by its vendor and product IDs, as in Sextant's udev rules; u-blox's
    /// modems have other product IDs.
    var isKnownReceiver: Bool {
        vendor == "1546" && product.count == 4 && ["01a", "050"].contains(product.prefix(3))
    }

    /// The udev match keys for the device's serial port; if the device has no serial number, they match every device of
    /// its model.
    var match: String {
        let number = serial.map { ", ATTRS{serial}==\"\($0)\"" } ?? ""
        return "SUBSYSTEM==\"tty\", SUBSYSTEMS==\"usb\", "
            + "ATTRS{idVendor}==\"\(vendor)\", ATTRS{idProduct}==\"\(product)\"\(number)"
    }
}

/// What udev recorded about devices when its rules last ran.
enum UdevDatabase {
    /// The udev properties of a device with a node, such as `SEXTANT_DEVICE=1`; empty if udev does not run.
    ///
    /// Source: systemd, `src/libsystemd/sd-device`: a text file per device, with a line `E:` for each property.
    /// - Parameter number: The major and minor number of a character device, such as `188:0`.
    static func properties(of number: String, _ files: some SystemFiles) -> Set<String> {
        let text = files.text(of: "/run/udev/data/c\(number)") ?? ""
        return Set(text.numberedLines.filter { $0.text.hasPrefix("E:") }.map { String($0.text.dropFirst(2)) })
    }

    /// The udev properties of a device, from its major and minor number in the kernel's encoding.
    ///
    /// Source: makedev(3) of glibc. The encoding, from the low end: bits 0 to 7 of the minor number, 0 to 11 of the
    /// major, 8 to 31 of the minor, 12 to 31 of the major.
    static func properties(of number: UInt64, _ files: some SystemFiles) -> Set<String> {
        let major = number >> 8 & 0xfff | number >> 32 & ~0xfff
        let minor = number & 0xff | number >> 12 & 0xffff_ff00
        return properties(of: "\(major):\(minor)", files)
    }
}
