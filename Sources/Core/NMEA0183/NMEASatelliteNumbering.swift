public import GNSS

/// The translation of satellite numbers in sentences to constellations and satellite ids.
///
/// Sources: NMEA 0183 version 4.11, GSA and GSV (GPS 1 to 32, SBAS 33 to 64 as PRN minus 87, GLONASS 65 to 96, and
/// numbers from 1 in each constellation where the talker or the system id names it); u-blox 8 / M8 receiver
/// description, UBX-13003221, "Satellite numbering" (SBAS 120 to 158, Galileo 301 to 336, BeiDou 401 to 437, QZSS 193
/// to 202, IMES 173 to 182); Quectel's offsets of 100 for Galileo and 200 for BeiDou, seen in recordings of LC79D, EC25
/// and L76.
public struct NMEASatelliteNumbering: Sendable {
    /// The system that the sentence names; nil for GN and for unknown talkers.
    private let system: Constellation?
    /// Whether the numbers 193 to 202 are QZSS satellites and not satellites of the named system.
    private let sharesWithQZSS: Bool

    /// Prepares the translation of all satellite numbers of one sentence.
    ///
    /// - Parameters:
    ///   - talker: The sentence's talker.
    ///   - systemID: GSA's system id in NMEA 4.10 and later; nil in GSV, where the talker names the system.
    @inline(__always)
    public init(talker: NMEATalker, systemID: Int?) {
        let named = systemID.flatMap { NMEASatelliteNumbering.constellation(systemID: $0) }
        system = named ?? NMEASatelliteNumbering.constellation(of: talker)
        sharesWithQZSS = named == nil && talker == .quectel
    }

    /// The satellite, or nil where the number is not assigned.
    ///
    /// - Parameter number: The number as written, without leading zeros.
    @inline(__always)
    public func satellite(_ number: Int) -> SatelliteID? {
        let system = sharesWithQZSS && number >= 193 && number <= 202 ? .qzss : system
        return NMEASatelliteNumbering.satellite(number, within: system)
    }

    @inline(__always)
    private static func constellation(of talker: NMEATalker) -> Constellation? {
        switch talker {
        case .gps: .gps
        case .glonass: .glonass
        case .galileo: .galileo
        case .beidou, .beidouLegacy, .quectel: .beidou
        case .qzss, .qzssLegacy: .qzss
        case .navic: .navic
        default: nil
        }
    }

    private static func constellation(systemID: Int) -> Constellation? {
        switch systemID {
        case 1: .gps
        case 2: .glonass
        case 3: .galileo
        case 4: .beidou
        case 5: .qzss
        case 6: .navic
        default: nil
        }
    }

    /// The satellite of a number in a sentence whose talker or system id names the constellation.
    ///
    /// Numbers outside the constellation's own range are read as if the sentence named no constellation, because GP
    /// sentences carry SBAS and QZSS too.
    @inline(__always)
    private static func satellite(_ number: Int, within system: Constellation?) -> SatelliteID? {
        let own: SatelliteID? =
            switch system {
            case .glonass: offset(number, by: [0, 64], upTo: 32, .glonass)
            case .galileo: offset(number, by: [0, 100, 300], upTo: 36, .galileo)
            case .beidou: offset(number, by: [0, 200, 400, 100], upTo: 63, .beidou)
            case .qzss: offset(number, by: [0, 192], upTo: 10, .qzss)
            case .navic: offset(number, by: [0, 500], upTo: 15, .navic)
            case .gps, .sbas, .imes, nil: nil
            }
        return own ?? satelliteOfCombinedRange(number)
    }

    @inline(__always)
    private static func offset<let count: Int>(
        _ number: Int, by offsets: InlineArray<count, Int>, upTo limit: Int, _ system: Constellation
    ) -> SatelliteID? {
        for index in offsets.indices {
            let own = number &- offsets[index]
            if (1...limit).contains(own) { return SatelliteID(system, UInt8(truncatingIfNeeded: own)) }
        }
        return nil
    }

    /// The satellite of a number in a sentence that names no constellation; the number's range tells the constellation.
    @inline(__always)
    private static func satelliteOfCombinedRange(_ number: Int) -> SatelliteID? {
        switch number {
        case 1...32: SatelliteID(.gps, UInt8(number))
        case 33...64: SatelliteID(.sbas, UInt8(number + 87))
        case 65...96: SatelliteID(.glonass, UInt8(number - 64))
        case 101...119: SatelliteID(.galileo, UInt8(number - 100))
        case 120...158: SatelliteID(.sbas, UInt8(number))
        case 173...182: SatelliteID(.imes, UInt8(number - 172))
        case 193...202: SatelliteID(.qzss, UInt8(number - 192))
        case 201...263: SatelliteID(.beidou, UInt8(number - 200))
        case 301...336: SatelliteID(.galileo, UInt8(number - 300))
        case 401...463: SatelliteID(.beidou, UInt8(number - 400))
        default: nil
        }
    }
}

/// Signal ids as GSV writes them (NMEA 4.10 and later), and the UBX number of the same signal.
///
/// Sources: NMEA 0183 version 4.11, table "GNSS system ID and signal ID"; u-blox F9 HPG 1.32 interface description,
/// UBX-22008968, "Signal identifiers".
public enum NMEASignal {
    /// The UBX `sigId`, or nil where u-blox has no number for the signal.
    @inline(__always)
    public static func ubxSignal(_ signal: Int, of constellation: Constellation) -> UInt8? {
        switch (constellation, signal) {
        case (.gps, 1), (.sbas, 1), (.glonass, 1), (.qzss, 1), (.beidou, 1), (.navic, 1): 0
        case (.gps, 6): 3  // L2 CL
        case (.gps, 5): 4  // L2 CM
        case (.gps, 7): 6  // L5 I
        case (.gps, 8): 7  // L5 Q
        case (.galileo, 6), (.galileo, 7): 0  // E1
        case (.galileo, 1): 3  // E5a
        case (.galileo, 2): 5  // E5b
        case (.glonass, 3): 2  // L2 OF
        case (.beidou, 3): 5  // B1C
        case (.beidou, 5): 7  // B2a
        case (.beidou, 11): 2  // B2I
        case (.qzss, 4): 1  // L1S
        case (.qzss, 5): 4  // L2 CM
        case (.qzss, 6): 5  // L2 CL
        case (.qzss, 7): 8  // L5 I
        case (.qzss, 8): 9  // L5 Q
        default: nil
        }
    }
}
