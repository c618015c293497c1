public import GNSS
import Glibc
public import SextantUnits

/// A realistic sky: GPS, GLONASS, Galileo, BeiDou and two SBAS satellites on circular orbits.
///
/// A satellite is used if it is higher than 10 degrees and stronger than 25 dB-Hz.
public struct SyntheticSky: Sendable {
    /// The satellites that a receiver sees at one time.
    public struct View: Sendable, Hashable {
        /// The satellites above the horizon, in the order of constellation and number; before a fix only those that the
        /// receiver tracks.
        public var satellites: [Satellite]
        /// The dilution of precision from the geometry of the used satellites, with one clock for all systems; its
        /// values are nil if the geometry gives none.
        public var dilution: DilutionOfPrecision
    }

    /// The receiver's progress in finding satellites.
    ///
    /// Before the receiver has a position it knows only the satellites that it tracks, and not their directions.
    public struct Reception: Sendable, Hashable {
        /// The share of the satellites that have been found: 0 (none yet) to 1 (all).
        public var share: Double
        /// The type of the receiver's fix, which decides how many satellites it uses.
        public var fixType: FixType

        public init(share: Double, fixType: FixType) {
            self.share = share
            self.fixType = fixType
        }

        public static let complete = Reception(share: 1, fixType: .threeD)
    }

    static let lowestUsedElevation = 10.0 * .pi / 180
    static let lowestUsedCarrierToNoise = 25.0
    private static let trackingThreshold = 18.0

    private let entries: [SkyAlmanac.Entry]

    /// Makes a sky; the SBAS satellites nearest to `longitude`, in degrees east, are in it.
    public init(constellations: [Constellation], longitude: Double, seed: UInt64) {
        entries = SkyAlmanac.entries(of: constellations, longitude: longitude, seed: seed)
    }

    public static let allConstellations: [Constellation] = [.gps, .sbas, .galileo, .beidou, .glonass]

    /// The sky over a place; latitude and longitude in degrees, height in metres above the ellipsoid.
    public func view(
        latitude: Double, longitude: Double, height: Double, at time: UTCInstant, reception: Reception
    ) -> View {
        let frame = EarthFixedFrame(latitude: latitude, longitude: longitude, height: height)
        var sightings = entries.compactMap { entry in
            sighting(of: entry, from: frame, atSeconds: time.seconds, reception: reception)
        }
        choose(&sightings, for: reception.fixType)
        let used = sightings.filter(\.isUsed).map(\.direction)
        let dilution = Dilution.dilution(of: used, isHeightHeld: !reception.fixType.hasHeight)
        return View(satellites: sightings.map(\.satellite), dilution: dilution ?? DilutionOfPrecision())
    }

    private func sighting(
        of entry: SkyAlmanac.Entry, from frame: EarthFixedFrame, atSeconds seconds: Double, reception: Reception
    ) -> Sighting? {
        let direction = frame.direction(to: entry.orbit.position(atSeconds: seconds))
        guard direction.elevation > 0 else { return nil }
        let strength = entry.fading.carrierToNoise(elevation: direction.elevation, atSeconds: seconds)
        let isFound = entry.acquisitionOrder <= reception.share && reception.share > 0
        let isTracked = isFound && strength >= Self.trackingThreshold
        guard isTracked || reception.fixType.hasPosition else { return nil }
        return Sighting(
            id: entry.id,
            frequencySlot: entry.frequencySlot,
            direction: direction,
            isPlaced: reception.fixType.hasPosition,
            carrierToNoise: isTracked ? strength : nil
        )
    }

    private func choose(_ sightings: inout [Sighting], for fixType: FixType) {
        guard fixType.hasPosition else { return }
        for index in sightings.indices { sightings[index].isUsed = sightings[index].isUsable }
        guard !fixType.hasHeight else { return }
        let kept = threeWellSpread(sightings)
        for index in sightings.indices { sightings[index].isUsed = kept.contains(index) }
    }

    /// The indices of three satellites for a 2D fix: the strongest usable one, and the two that come nearest to
    /// azimuths a third of a turn away from it.
    private func threeWellSpread(_ sightings: [Sighting]) -> [Int] {
        var usable = sightings.indices.filter { sightings[$0].isUsable }
        guard let strongest = usable.max(by: { sightings[$0].strength < sightings[$1].strength }) else { return [] }
        var kept = [strongest]
        usable.removeAll { $0 == strongest }
        for third in [1.0, 2.0] {
            let wanted = sightings[strongest].direction.azimuth + third * 2 * .pi / 3
            func distance(_ index: Int) -> Double { -cos(sightings[index].direction.azimuth - wanted) }
            guard let nearest = usable.min(by: { distance($0) < distance($1) }) else { break }
            kept.append(nearest)
            usable.removeAll { $0 == nearest }
        }
        return kept
    }
}

/// One satellite above the horizon, before its values are rounded.
struct Sighting: Sendable {
    var id: SatelliteID
    var frequencySlot: UInt8?
    var direction: SkyDirection
    /// Whether the receiver knows the satellite's direction.
    var isPlaced: Bool
    /// The signal's strength in dB-Hz; nil if the satellite is not tracked.
    var carrierToNoise: Double?
    var isUsed = false

    var strength: Double { carrierToNoise ?? 0 }

    var isUsable: Bool {
        direction.elevation > SyntheticSky.lowestUsedElevation && strength > SyntheticSky.lowestUsedCarrierToNoise
    }

    var satellite: Satellite {
        var satellite = Satellite(id: id, isUsed: isUsed)
        satellite.frequencySlot = frequencySlot
        if isPlaced {
            satellite.elevation = Int16((direction.elevation * 180 / .pi).rounded())
            satellite.azimuth = Int16((direction.azimuth * 180 / .pi).rounded()) % 360
        }
        satellite.carrierToNoise = carrierToNoise.map { UInt8($0.rounded()) }
        satellite.health = .healthy
        satellite.quality = quality
        satellite.hasEphemeris = carrierToNoise != nil
        return satellite
    }

    private var quality: UInt8 {
        switch strength {
        case ..<1: 1
        case ..<22: 4
        default: 7
        }
    }
}
