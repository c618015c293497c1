/// The AltBeacon format, in a structure with manufacturer data.
///
/// The fields are: the type FF, the company id (2 bytes), the code BE AC, the identity (20 bytes), the signal strength
/// at 1 m (1 byte, dBm), and a byte for the manufacturer. The identity is read as UUID (16 bytes), major (2) and minor
/// (2), as android-beacon-library does. Source: the AltBeacon Protocol Specification 1.0.
enum AltBeacon {
    /// The smallest length in bytes of the structure, its type byte included.
    private static let byteCount = 27

    /// Whether a structure with manufacturer data, of at least 5 bytes, has AltBeacon's code.
    static func isMeant(by structure: borrowing Span<UInt8>) -> Bool { structure[3] == 0xBE && structure[4] == 0xAC }

    static func decode(_ structure: borrowing Span<UInt8>) throws(BeaconRefusal) -> Beacon {
        guard structure.count >= byteCount else { throw .tooShort(.altBeacon, byteCount: structure.count) }
        return Beacon(
            .altBeacon, BeaconIdentity(structure, at: 5), power: Int(Int8(bitPattern: structure[25])))
    }
}
