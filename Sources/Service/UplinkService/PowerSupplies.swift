internal import Glibc
internal import SextantReactor
internal import SextantUplink
internal import Store

/// The board's battery, as the kernel reports it.
///
/// Source: Linux, Documentation/ABI/testing/sysfs-class-power. Written from the documentation; not tried on hardware.
struct PowerSupplies {
    /// The folder in which the kernel describes batteries: `/sys/class/power_supply`, or a test's own.
    let folder: String
    /// Whether the battery was low at the last reading, so that a low battery is reported only once.
    private var isLow = false

    /// The charge in per cent at or below which a discharging battery becomes low; above it, the battery is no longer
    /// low.
    private static let low = 15
    private static let recovered = 20

    init(folder: String) { self.folder = folder }

    /// Reads the board's first battery, and whether it has become low since the last reading; nil if there is no
    /// battery.
    mutating func read() -> (battery: UplinkBattery, becameLow: Bool)? {
        guard let battery = names.lazy.compactMap(battery).first else { return nil }
        let wasLow = isLow
        let isAbove = battery.percent > (wasLow ? PowerSupplies.recovered : PowerSupplies.low)
        isLow = !isAbove && battery.isCharging != true
        return (battery, isLow && !wasLow)
    }

    private func battery(_ name: String) -> UplinkBattery? {
        func text(_ file: String) -> Substring {
            let bytes = (try? StoreFile.read("\(folder)/\(name)/\(file)", upTo: 64)) ?? nil
            return String(decoding: bytes ?? [], as: UTF8.self).prefix { $0 != "\n" }
        }
        // A battery that the kernel reports with the scope "Device" belongs to a peripheral such as a mouse.
        guard text("type") == "Battery", text("scope") != "Device", let percent = Int(text("capacity")),
            (0...100).contains(percent)
        else { return nil }
        let isCharging: Bool? =
            switch text("status") {
            case "Charging", "Full": true
            case "Discharging": false
            default: nil
            }
        return UplinkBattery(percent: percent, isCharging: isCharging)
    }

    private var names: [String] {
        ((try? FolderListing.names(in: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }
}
