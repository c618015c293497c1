/// AltBeacon, in a manufacturer's structure: type FF, company 2, BE AC, identity 20, power 1, manufacturer's byte 1.
///
/// The identity's bytes are read as UUID 16, major 2 and minor 2, as android-beacon-library does. Source: the AltBeacon
/// Protocol Specification 1.0.
enum AltBeacon {
    /// With the structure's type.
    private static let byteCount = 27

    /// Whether a manufacturer's structure of 5 bytes and more has AltBeacon's code.
    static func isMeant(by structure: borrowing Span<UInt8>) -> Bool { structure[3] == 0xBE && structure[4] == 0xAC }

    static func decode(_ structure: borrowing Span<UInt8>) throws(BeaconRefusal) -> Beacon {
        guard structure.count >= byteCount else { throw .tooShort(.altBeacon, byteCount: structure.count) }
        return Beacon(
            .altBeacon, BeaconIdentity(structure, at: 5), power: Int(Int8(bitPattern: structure[25])))
    }
}
