internal import SextantSQLite
internal import SextantUplink
internal import Store

/// State that is stored beside the records: commands, their regions, and whether the broker retains a location.
extension UplinkQueue {
    /// Stores whether the broker retains a location.
    func note(isRetained: Bool) throws(StoreError) {
        try setSynchronous(true)
        try setState("retained", .integer(isRetained ? 1 : 0))
    }

    /// Stores the id of a command; only the newest ids are kept.
    func remember(command id: String) throws(StoreError) {
        try setSynchronous(true)
        try remember("command", "id", .text(id))
    }

    func set(_ region: UplinkRegion) throws(StoreError) {
        try setSynchronous(true)
        try connection.run(
            "INSERT OR REPLACE INTO region VALUES(?, ?, ?, ?, ?, ?)",
            [
                .text(region.identifier), .text(region.name), .real(region.latitude), .real(region.longitude),
                .real(region.radius), .integer(region.timestamp),
            ])
    }

    func removeRegion(_ identifier: String) throws(StoreError) {
        try setSynchronous(true)
        try connection.run("DELETE FROM region WHERE identifier = ?", [.text(identifier)])
    }
}
