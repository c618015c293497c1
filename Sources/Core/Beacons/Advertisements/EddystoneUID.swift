/// The Eddystone-UID format, in a structure with service data.
///
/// The fields are: the type 16, the service AA FE, the frame type 00 (all hexadecimal), the power (1 byte), the
/// namespace (10 bytes), the instance (6 bytes), and 00 00. The power is the signal strength at 0 m, which is 41 dB
/// more than at 1 m. Namespace and instance together form the UUID; major and minor are 0. Old senders omit the last
/// two bytes. Source: the Eddystone-UID specification by Google.
enum EddystoneUID {
    static let service: UInt16 = 0xFEAA
    private static let attenuationOfOneMetre = 41
    /// The length in bytes of the structure, with its type byte, but without the two reserved bytes at its end.
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
