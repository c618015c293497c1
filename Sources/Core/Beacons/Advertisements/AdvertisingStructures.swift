/// The structures of an advertisement, one after the other: each a length, a type, and a value.
///
/// The sequence ends at the first structure of length 0 and before the first that runs past the end, as the kernel's own
/// reading does. Source: Bluetooth Core Specification 5.4, volume 3, part C, 11; Linux 6.1, `process_adv_report`.
struct AdvertisingStructures: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// Whether bytes are left over that belong to no structure, other than padding.
    private(set) var isCut = false

    /// The place of the next structure without its length byte: the type, and then the value; nil after the last.
    mutating func next() -> Range<Int>? {
        guard offset < bytes.count, bytes[offset] > 0 else { return nil }
        let end = offset + 1 + Int(bytes[offset])
        guard end <= bytes.count else {
            isCut = true
            return nil
        }
        defer { offset = end }
        return offset + 1..<end
    }
}

/// The types of structures that hold beacons.
///
/// Source: Bluetooth SIG, Assigned Numbers, 2.3.
enum AdvertisingStructureType {
    /// Data of a service that has a number of 16 bits.
    static let serviceData: UInt8 = 0x16
    /// Data of a manufacturer, after the company's number.
    static let manufacturerData: UInt8 = 0xFF
}
