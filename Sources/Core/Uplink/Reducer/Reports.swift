internal import SextantUnits

/// The messages that carry no records: health and energy once an hour, and the device for Home Assistant's discovery.
struct Reports: Sendable {
    private static let reportSeconds = 3600.0

    private(set) var battery: UplinkBattery?
    var energy: (lastDay: Double, client: Double)?
    var lastReport: MonotonicInstant?
    var discoveryAt: MonotonicInstant?

    var hourlyDue: MonotonicInstant { lastReport?.advanced(bySeconds: Reports.reportSeconds) ?? .zero }

    /// When the next report (health, energy or discovery) is to be sent; without `hourly`, health and energy are left
    /// out.
    func due(hourly: Bool) -> MonotonicInstant? {
        hourly ? MonotonicInstant.earlier(hourlyDue, discoveryAt) : discoveryAt
    }

    mutating func take(_ battery: UplinkBattery?) {
        if battery != self.battery { lastReport = nil }
        self.battery = battery
    }
}
