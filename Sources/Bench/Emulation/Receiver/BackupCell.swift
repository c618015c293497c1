/// The rechargeable cell on a board that is its receiver's backup supply; it starts full.
struct BackupCell: Sendable {
    /// The energy of the full cell, in millijoules.
    private let capacity: Double
    /// The power in milliwatts with which the main supply charges the cell.
    let charging: Double
    /// The energy in the cell at the instant `since`, in millijoules.
    private(set) var charge: Double
    /// The instant of the bench's clock, in nanoseconds, at which the charge was last computed.
    private var since: Int64

    /// The cell of a receiver's backup supply; nil if that is no cell.
    init?(_ backup: EmulatedReceiver.Backup, at instant: Int64) {
        guard case .cell(let capacity, let charging) = backup else { return nil }
        (self.capacity, self.charging) = (capacity, charging)
        charge = capacity
        since = instant
    }

    /// Computes the charge at an instant.
    ///
    /// - Parameter flow: The power in milliwatts that has charged the cell since the last call, negative for a
    ///   discharge.
    mutating func settle(at instant: Int64, flow: Double) {
        let seconds = Double(instant - since) / 1e9
        since = instant
        charge = min(max(charge + flow * seconds, 0), capacity)
    }
}
