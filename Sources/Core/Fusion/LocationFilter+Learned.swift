public import SextantUnits

/// The stored form of what the filter has learned about the errors of each receiver.
///
/// The record is little-endian: the version (1 byte: 2), the number of receivers (1 byte: 0 to 4), and for each
/// receiver its number (1 byte) and five values (8 bytes each, IEEE 754). The values are: the noise's variance divided
/// by the claimed variance; the number of fixes that this ratio was learned from; how much the slow error (the part
/// that lasts for minutes) changes within 12 s, relative to the expected change; the same within a minute; and how many
/// minutes of fixes these two changes were learned from.
extension LocationFilter: Recorded {
    public static var blank: LocationFilter { LocationFilter() }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(2)
        var known = receivers.known
        try record.code(&known, count: UInt8.self, blank: ReceiverSlot()) { (slot, record) throws(DamagedRecord) in
            try slot.code(&record)
        }
        try record.check(known.count <= receivers.slots.count)
        for (place, slot) in known.enumerated() { receivers.slots[place] = slot }
    }
}

extension ReceiverSlot {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (receiver, accuracy) = (receiver ?? 0, accuracy)
        try record.code(&receiver)
        try accuracy.code(&record)
        self = ReceiverSlot(receiver: receiver)
        self.accuracy = accuracy
    }
}

extension ReceiverAccuracy {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (noise, fixes) = (noiseRatio, experience)
        var (short, long, minutes) = (wander.shortChange.kept, wander.longChange.kept, wander.experience)
        try record.code(&noise)
        try record.code(&fixes)
        try record.code(&short)
        try record.code(&long)
        try record.code(&minutes)
        guard let wander = SlowErrorMeter(shortChange: short, longChange: long, experience: minutes),
            let read = ReceiverAccuracy(noise: noise, fixes: fixes, wander: wander)
        else { throw DamagedRecord() }
        self = read
    }
}
