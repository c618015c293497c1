internal import SextantUnits

/// The stored form of what the filter has learned of the receivers.
///
/// The record, little-endian: version (1 byte: 2), receivers (1 byte: 0 to 4), and of each its number (1 byte), the
/// noise's variance divided by the claimed one, the number of fixes that it was learned from, the slow error's changes
/// within 12 s and within a minute relative to the expected ones, and the minutes that they were learned from (8 bytes
/// each, IEEE 754).
extension LocationFilter {
    private static let version: UInt8 = 2

    public func encodeLearned() -> [UInt8] {
        var record = RecordWriter()
        record.write(LocationFilter.version)
        let known = receivers.known
        record.write(UInt8(known.count))
        for slot in known {
            record.write(slot.receiver ?? 0)
            record.write(slot.accuracy.noiseRatio)
            record.write(slot.accuracy.experience)
            record.write(slot.accuracy.wander.shortChange.kept)
            record.write(slot.accuracy.wander.longChange.kept)
            record.write(slot.accuracy.wander.experience)
        }
        return record.bytes
    }

    /// Begins with what was learned before; nil where the record has another version or is damaged.
    public static func decodeLearned(_ bytes: Span<UInt8>) -> LocationFilter? {
        var record = RecordReader(bytes)
        var filter = LocationFilter()
        guard record.integer(UInt8.self) == version, let count = record.integer(UInt8.self),
            count <= filter.receivers.slots.count
        else { return nil }
        for _ in 0..<count {
            guard let receiver = record.integer(UInt8.self), let noise = record.double(),
                let fixes = record.double(), let short = record.double(), let long = record.double(),
                let minutes = record.double(),
                let wander = SlowErrorMeter(shortChange: short, longChange: long, experience: minutes),
                let accuracy = ReceiverAccuracy(noise: noise, fixes: fixes, wander: wander)
            else { return nil }
            let slot = filter.receivers.slot(of: receiver)
            filter.receivers.slots[slot].accuracy = accuracy
        }
        return record.isAtEnd ? filter : nil
    }
}
