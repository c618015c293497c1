/// Eddystone-UID, in a service's structure: type 16, service AA FE, frame 00, power 1, namespace 10, instance 6, 00 00.
///
/// Its power is that at 0 m, 41 dB above that at 1 m. Namespace and instance together are the UUID, major and minor are
/// 0. Old senders leave the two last bytes out. Source: the Eddystone-UID specification by Google.
enum EddystoneUID {
    static let service: UInt16 = 0xFEAA
    private static let attenuationOfOneMetre = 41
    /// With the structure's type, without the two reserved bytes.
    private static let byteCount = 21

    static func decode(_ structure: borrowing Span<UInt8>) throws(BeaconRefusal) -> Beacon {
        let found = structure.littleEndian(UInt16.self, at: 1)
        guard found == service else { throw .otherService(found) }
        guard structure[3] == 0 else { throw .otherEddystoneFrame(structure[3]) }
        guard structure.count == byteCount || structure.count >= byteCount + 2 else {
            throw .tooShort(.eddystoneUID, byteCount: structure.count)
        }
        let identity = BeaconIdentity(uuid: BeaconUUID(structure, at: 5), major: 0, minor: 0)
        return Beacon(
            .eddystoneUID, identity, power: Int(Int8(bitPattern: structure[4])) - attenuationOfOneMetre)
    }
}
