/// A receiver's navigation database, kept by the host while the receiver's supplies are cut.
struct NavigationDatabase: Sendable {
    /// The largest size in bytes that is kept; a database usually has several hundred messages of 50 to 90 bytes.
    static let maximumByteCount = 65_536

    /// The receiver that sent the database; only this receiver, with the same firmware, can use the database.
    var identity: ReceiverIdentity
    /// The payloads of MGA-DBD messages, one after the other.
    var bytes: [UInt8] = []
    /// For each payload, the index in `bytes` at which it ends (its last byte's index plus 1).
    var ends: [Int] = []

    var count: Int { ends.count }

    /// The range of payload `index` in `bytes`.
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// Appends a payload.
    ///
    /// - Returns: False if the payload no longer fits.
    mutating func append(_ payload: borrowing Span<UInt8>) -> Bool {
        guard bytes.count + payload.count <= NavigationDatabase.maximumByteCount else { return false }
        for index in payload.indices { bytes.append(payload[index]) }
        ends.append(bytes.count)
        return true
    }
}
