/// Facts about a system that decide how much power it draws while idle.
public struct IdleFacts: Sendable, Equatable {
    /// The governor of the processor's frequency; nil if the kernel does not state it.
    var governor: String?
    /// The number of processor cores that are online; nil if the kernel does not state it.
    var cores: Int?
    /// Whether a USB device other than a hub is plugged in; nil if the kernel does not tell.
    var hasUSBDevice: Bool?
    /// Whether the first USB bus is on, that is, bound to a driver.
    var isUSBOn: Bool
    /// The paths of the swap files and devices, except swap in compressed memory (zram).
    var swaps: [String]

    init(_ files: some SystemFiles) {
        governor = files.value(of: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        cores = files.value(of: "/sys/devices/system/cpu/online").flatMap(IdleFacts.count)
        // The format of /proc/swaps is a line of headings, then one line for each swap, which begins with its path:
        // proc(5).
        swaps = (files.text(of: "/proc/swaps") ?? "").split(separator: "\n").dropFirst()
            .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
            .filter { !$0.hasPrefix("/dev/zram") }
        let usb = "/sys/bus/usb/devices"
        isUSBOn = files.exists("\(usb)/usb1/driver")
        guard files.exists(usb) else { return }
        // In this folder, names with a colon are interfaces and not devices; device class 09 is a hub.
        hasUSBDevice = files.list(usb).contains { name in
            !name.contains(":") && files.value(of: "\(usb)/\(name)/bDeviceClass").map { $0 != "09" } ?? false
        }
    }

    /// How many numbers a list such as `0-3` or `0,2-3` contains; nil if the list is invalid.
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
