/// A row in a table's list of names: the keys (40-bit hashes of names) that have equal upper 16 bits, each with the
/// number of a place that has the name.
///
/// An entry has 7 bytes: the lower 24 bits of the key, then the number of the place in 32 bits, both little-endian.
/// Entries are sorted by key, and then by place.
public enum NameRow {
    private static let entrySize = 7
    private static let keyBits = 24

    /// The number of the row in which a key is stored: 0 to 65 535.
    public static func number(of key: NameKey) -> Int64 { key.rawValue >> keyBits }

    /// The bytes of a row that holds these entries.
    public static func bytes(of entries: some Collection<(key: NameKey, place: UInt32)>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * entrySize)
        for entry in entries {
            for shift in [0, 8, 16] { bytes.append(UInt8(truncatingIfNeeded: entry.key.rawValue >> shift)) }
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: entry.place >> shift)) }
        }
        return bytes
    }

    /// The numbers of the places that a row lists under a key; at most `most` numbers.
    public static func places(of key: NameKey, in row: borrowing Span<UInt8>, most: Int) -> [UInt32] {
        let wanted = UInt32(truncatingIfNeeded: key.rawValue & (1 << keyBits - 1))
        var places: [UInt32] = []
        var offset = 0
        while places.count < most, offset + entrySize <= row.count {
            if number(at: offset, bytes: 3, in: row) == wanted {
                places.append(number(at: offset + 3, bytes: 4, in: row))
            }
            offset += entrySize
        }
        return places
    }

    private static func number(at offset: Int, bytes: Int, in row: borrowing Span<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<bytes { value |= UInt32(row[offset + index]) << (8 * UInt32(index)) }
        return value
    }
}
