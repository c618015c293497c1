/// Facts that decide how much power a system draws while idle.
public struct IdleFacts: Sendable, Equatable {
    /// The governor of the processor's frequency; nil where the kernel does not say.
    var governor: String?
    /// The number of running cores; nil where the kernel does not say.
    var cores: Int?
    /// Whether a USB device other than a hub is plugged in; nil where the kernel does not say.
    var hasUSBDevice: Bool?
    /// Whether the first USB bus has a driver, which an unbound bus does not have.
    var isUSBOn: Bool
    /// The swap files and devices on the card; swap in compressed memory is left out.
    var swaps: [String]

    init(_ files: some SystemFiles) {
        governor = files.value(of: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        cores = files.value(of: "/sys/devices/system/cpu/online").flatMap(IdleFacts.count)
        // Format by proc(5): a line of headings, then lines that begin with the file or device.
        swaps = (files.text(of: "/proc/swaps") ?? "").split(separator: "\n").dropFirst()
            .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
            .filter { !$0.hasPrefix("/dev/zram") }
        let usb = "/sys/bus/usb/devices"
        isUSBOn = files.exists("\(usb)/usb1/driver")
        guard files.exists(usb) else { return }
        // Entries with a colon in the name are interfaces; class 09 is a hub.
        hasUSBDevice = files.list(usb).contains { name in
            !name.contains(":") && files.value(of: "\(usb)/\(name)/bDeviceClass").map { $0 != "09" } ?? false
        }
    }

    /// The count of numbers in a list such as `0-3`; nil where the list is invalid.
    private static func count(_ list: String) -> Int? {
        var count = 0
        for part in list.split(separator: ",") {
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, last >= first else { return nil }
            count += last - first + 1
        }
        return count
    }
}
