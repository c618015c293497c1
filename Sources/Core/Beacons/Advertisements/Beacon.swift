/// A beacon's identity and strength, as its advertisement states them.
public struct Beacon: Sendable, Hashable {
    public enum Format: Sendable, Hashable, CaseIterable {
        case iBeacon, altBeacon, eddystoneUID
    }

    public var format: Format
    public var identity: BeaconIdentity
    /// The signal strength at 1 m, in dBm, that the beacon states; nil if it states none or an impossible one.
    public var measuredPower: Int8?
    /// The signal strength at 1 m, in dBm, that was measured with this board's radio; nil if it was not measured.
    public var calibratedPower: Int8?

    /// The signal strength at 1 m from which distances are computed, in dBm: the measured one, otherwise the stated
    /// one; nil if neither is known.
    public var power: Int8? { calibratedPower ?? measuredPower }

    /// The range of credible signal strengths at 1 m, in dBm.
    ///
    /// Many wrongly configured beacons state 0 or more.
    public static let possiblePower: ClosedRange<Int> = -110 ... -10

    /// - Parameter power: The signal strength at 1 m that the beacon states, in dBm.
    public init(_ format: Format, _ identity: BeaconIdentity, power: Int) {
        self.format = format
        self.identity = identity
        measuredPower = Beacon.possiblePower.contains(power) ? Int8(power) : nil
    }

    /// Reads the first beacon of an advertisement.
    ///
    /// - Parameters:
    ///   - advertisement: The structures of the advertisement, as the kernel passes them on.
    ///   - formats: The beacon formats that are accepted.
    /// - Throws: The reason why no structure is a beacon of these formats; if there are several reasons, the one for
    ///   the last structure that could have been a beacon.
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

/// The identity of a beacon.
///
/// Any sender can use any identity, so it proves nothing.
public struct BeaconIdentity: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var uuid: BeaconUUID
    public var major: UInt16
    public var minor: UInt16

    public init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// Reads the identity of an iBeacon or AltBeacon: UUID (16 bytes), major (2) and minor (2).
    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        uuid = BeaconUUID(bytes, at: offset)
        major = bytes.bigEndian(UInt16.self, at: offset + 16)
        minor = bytes.bigEndian(UInt16.self, at: offset + 18)
    }

    public var description: String { "\(uuid) \(major) \(minor)" }

    /// Compares identities in the order of their transmitted bytes.
    public static func < (left: BeaconIdentity, right: BeaconIdentity) -> Bool {
        (left.uuid.high, left.uuid.low, left.major, left.minor)
            < (right.uuid.high, right.uuid.low, right.major, right.minor)
    }
}

/// Why an advertisement is not that of a beacon.
public enum BeaconRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// No structure has manufacturer data or service data of the accepted kinds.
    case nothingOfABeacon
    /// The structure that could have been a beacon runs past the end of the advertisement.
    case cut
    /// The data are of another manufacturer, with this company id.
    case otherManufacturer(UInt16)
    /// The manufacturer data are Apple's, but their type or length is not a beacon's.
    case otherAppleType(UInt8, length: UInt8)
    /// The data are of another service, with this UUID.
    case otherService(UInt16)
    /// The data are Eddystone's, but this frame type does not contain the identity.
    case otherEddystoneFrame(UInt8)
    /// The structure has a beacon's type, but fewer bytes than the beacon's fields need.
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
