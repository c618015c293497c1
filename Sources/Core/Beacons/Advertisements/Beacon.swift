/// A beacon's identity and strength, as its advertisement states them.
public struct Beacon: Sendable, Hashable {
    public enum Format: Sendable, Hashable, CaseIterable {
        case iBeacon, altBeacon, eddystoneUID
    }

    public var format: Format
    public var identity: BeaconIdentity
    /// The signal strength one metre away, in dBm, as the beacon states it; nil where it states none that can be true.
    public var measuredPower: Int8?
    /// The strength one metre away, in dBm, as it was measured for this board; nil where it was not.
    public var calibratedPower: Int8?

    /// The strength one metre away by which distances are told, in dBm; nil where none is known.
    public var power: Int8? { calibratedPower ?? measuredPower }

    /// Signal strengths one metre away that a beacon can have, in dBm.
    ///
    /// Many badly set beacons state 0 or more.
    public static let possiblePower: ClosedRange<Int> = -110 ... -10

    /// - Parameter power: What it states of its strength one metre away, in dBm.
    public init(_ format: Format, _ identity: BeaconIdentity, power: Int) {
        self.format = format
        self.identity = identity
        measuredPower = Beacon.possiblePower.contains(power) ? Int8(power) : nil
    }

    /// Reads the first beacon of an advertisement.
    ///
    /// - Parameters:
    ///   - advertisement: Its structures, as the kernel passes them on.
    ///   - formats: The kinds of beacons that count.
    /// - Throws: Why no structure is such a beacon; where several could have been one, the reason of the last.
    public init(
        advertisement: Span<UInt8>, formats: Set<Format> = [.iBeacon, .altBeacon]
    ) throws(BeaconRefusal) {
        var structures = AdvertisingStructures(advertisement)
        var refusal = BeaconRefusal.nothingOfABeacon
        while let place = structures.next() {
            do throws(BeaconRefusal) {
                self = try Beacon(structure: advertisement.extracting(place), formats)
                return
            } catch {
                if error != .nothingOfABeacon { refusal = error }
            }
        }
        if refusal == .nothingOfABeacon, structures.isCut { refusal = .cut }
        throw refusal
    }

    private init(structure: Span<UInt8>, _ formats: Set<Format>) throws(BeaconRefusal) {
        switch structure[0] {
        case AdvertisingStructureType.manufacturerData where structure.count >= 5:
            if formats.contains(.altBeacon), AltBeacon.isMeant(by: structure) {
                self = try AltBeacon.decode(structure)
            } else if formats.contains(.iBeacon) {
                self = try IBeacon.decode(structure)
            } else {
                throw .nothingOfABeacon
            }
        case AdvertisingStructureType.serviceData where structure.count >= 4 && formats.contains(.eddystoneUID):
            self = try EddystoneUID.decode(structure)
        default: throw .nothingOfABeacon
        }
    }
}

/// Which beacon it is.
///
/// Anybody can send any identity, so it proves nothing.
public struct BeaconIdentity: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var uuid: BeaconUUID
    public var major: UInt16
    public var minor: UInt16

    public init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// The identity that iBeacon and AltBeacon send: 16, 2 and 2 bytes.
    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        uuid = BeaconUUID(bytes, at: offset)
        major = bytes.bigEndian(UInt16.self, at: offset + 16)
        minor = bytes.bigEndian(UInt16.self, at: offset + 18)
    }

    public var description: String { "\(uuid) \(major) \(minor)" }

    /// The order of the bytes that are sent.
    public static func < (left: BeaconIdentity, right: BeaconIdentity) -> Bool {
        (left.uuid.high, left.uuid.low, left.major, left.minor)
            < (right.uuid.high, right.uuid.low, right.major, right.minor)
    }
}

/// Why an advertisement is not that of a beacon.
public enum BeaconRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// No structure has a manufacturer's or a service's data of the kinds that count.
    case nothingOfABeacon
    /// The structure that could have been one runs past the end.
    case cut
    /// The data are another manufacturer's.
    case otherManufacturer(UInt16)
    /// Apple's data, of another type or length than a beacon's.
    case otherAppleType(UInt8, length: UInt8)
    /// The data are another service's.
    case otherService(UInt16)
    /// Eddystone's data, but another frame than the identity.
    case otherEddystoneFrame(UInt8)
    /// A beacon's structure with fewer bytes than its fields need.
    case tooShort(Beacon.Format, byteCount: Int)

    public var description: String {
        switch self {
        case .nothingOfABeacon: "it has neither a manufacturer's data nor Eddystone's"
        case .cut: "it ends before its structure does"
        case .otherManufacturer(let company): "its data are of company \(company), not a beacon's"
        case .otherAppleType(let type, let length):
            "Apple's data of type \(type) and length \(length) are no beacon's, which are of type 2 and length 21"
        case .otherService(let service): "its data are of service \(service), not Eddystone's"
        case .otherEddystoneFrame(let frame): "Eddystone's frame \(frame) is not 0, the one with an identity"
        case .tooShort(let format, let byteCount): "\(byteCount) bytes are too few for \(format)"
        }
    }
}
