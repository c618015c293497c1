/// The iBeacon format, in a structure with manufacturer data.
///
/// The fields are: the type FF, the company id 4C 00, Apple's type and length 02 15 (all hexadecimal), the UUID (16
/// bytes), major (2 bytes), minor (2 bytes), and the signal strength at 1 m (1 byte, dBm). Further bytes are ignored.
/// Major and minor are big-endian. Source: public decoders with literal bytes in their tests,
/// `custom-components/ble_monitor` and `citruz/beacontools`; Apple's own specification is under a licence and was not
/// used.
enum IBeacon {
    static let apple: UInt16 = 0x004C
    /// The two bytes for type and length in Apple's manufacturer data.
    private static let type: (UInt8, length: UInt8) = (0x02, 0x15)
    /// The length in bytes of the structure, its type byte included.
    private static let byteCount = 26

    static func decode(_ structure: borrowing Span<UInt8>) throws(BeaconRefusal) -> Beacon {
        let company = structure.littleEndian(UInt16.self, at: 1)
        guard company == apple else { throw .otherManufacturer(company) }
        guard structure[3] == type.0, structure[4] == type.length else {
            throw .otherAppleType(structure[3], length: structure[4])
        }
        guard structure.count >= byteCount else { throw .tooShort(.iBeacon, byteCount: structure.count) }
        return Beacon(
            .iBeacon, BeaconIdentity(structure, at: 5), power: Int(Int8(bitPattern: structure[25])))
    }

    /// The structure, with its length byte, for an iBeacon that this board sends.
    static func encode(_ identity: BeaconIdentity, measuredPower: Int8) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(byteCount), AdvertisingStructureType.manufacturerData]
        bytes.append(littleEndian: apple)
        bytes += [type.0, type.length]
        identity.uuid.append(to: &bytes)
        bytes.append(bigEndian: identity.major)
        bytes.append(bigEndian: identity.minor)
        bytes.append(UInt8(bitPattern: measuredPower))
        return bytes
    }
}

extension BeaconIdentity {
    /// The structures of an iBeacon's advertisement, without the controller's flags, which the kernel puts before them.
    ///
    /// - Parameter measuredPower: The signal strength at 1 m, in dBm.
    public func advertisement(measuredPower: Int8) -> [UInt8] {
        IBeacon.encode(self, measuredPower: measuredPower)
    }
}
