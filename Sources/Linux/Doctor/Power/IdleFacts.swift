/// What a system does while it has nothing to do.
public struct IdleFacts: Sendable, Equatable {
    /// The processor's governor; nil where the kernel does not say.
    var governor: String?
    /// How many cores run; nil where the kernel does not say.
    var cores: Int?
    /// Whether anything but hubs is plugged in at USB; nil where the kernel does not say.
    var hasUSBDevice: Bool?
    /// Whether the first bus at USB is driven, which an unbound one is not.
    var isUSBOn: Bool
    /// Where the card is memory too; what is swapped to memory itself, compressed, is left out.
    var swaps: [String]

    init(_ files: some SystemFiles) {
        governor = files.value(of: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        cores = files.value(of: "/sys/devices/system/cpu/online").flatMap(IdleFacts.count)
        // proc(5): a line of headings, then the file or device first in each line.
        swaps = (files.text(of: "/proc/swaps") ?? "").split(separator: "\n").dropFirst()
            .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
            .filter { !$0.hasPrefix("/dev/zram") }
        let usb = "/sys/bus/usb/devices"
        isUSBOn = files.exists("\(usb)/usb1/driver")
        guard files.exists(usb) else { return }
        // Interfaces have a colon in their names; class 09 is a hub.
        hasUSBDevice = files.list(usb).contains { name in
            !name.contains(":") && files.value(of: "\(usb)/\(name)/bDeviceClass").map { $0 != "09" } ?? false
        }
    }

    /// How many numbers a list such as `0-3` has.
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
