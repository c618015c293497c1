internal import Glibc
internal import SextantReactor
internal import SextantUplink
internal import Store

/// The board's battery, as the kernel tells of it.
///
/// Source: Linux, Documentation/ABI/testing/sysfs-class-power. By reading; not tried on hardware.
struct HostBattery {
    /// The kernel's folder, `/sys/class/power_supply`.
    let folder: String
    /// Whether the battery was low when it was last read; so that it is told once.
    private var isLow = false

    /// Per cent at which a battery that is not charged is low, and from which on it no longer is.
    private static let low = 15
    private static let recovered = 20

    init(folder: String) { self.folder = folder }

    /// The first battery of the board itself, and whether it has become low; nil where there is none.
    mutating func read() -> (battery: UplinkBattery, becameLow: Bool)? {
        guard let battery = names.lazy.compactMap(battery).first else { return nil }
        let wasLow = isLow
        let isAbove = battery.percent > (wasLow ? HostBattery.recovered : HostBattery.low)
        isLow = !isAbove && battery.isCharging != true
        return (battery, isLow && !wasLow)
    }

    private func battery(_ name: String) -> UplinkBattery? {
        func text(_ file: String) -> Substring {
            let bytes = (try? StoreFile.read("\(folder)/\(name)/\(file)", upTo: 64)) ?? nil
            return String(decoding: bytes ?? [], as: UTF8.self).prefix { $0 != "\n" }
        }
        // The battery of a mouse has the scope Device.
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
