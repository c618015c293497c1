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

    /// Whether the last structure runs past the end of the advertisement.
    private(set) var isCut = false

    /// The byte range of the next structure's type and value, without the length byte; nil after the last structure.
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
    /// Service data with a 16-bit service UUID.
    static let serviceData: UInt8 = 0x16
    /// Manufacturer data, which begin with the company id.
    static let manufacturerData: UInt8 = 0xFF
}
