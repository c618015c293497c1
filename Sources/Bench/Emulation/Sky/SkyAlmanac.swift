import GNSS
import Glibc
import SextantUnits

/// The satellites of a synthetic sky in nominal constellations; the random seed shifts the satellites within their
/// orbital planes.
///
/// Source: the systems' interface documents for radius, inclination and planes (IS-GPS-200, GLONASS ICD L1/L2, Galileo
/// OS SIS ICD, BDS-SIS-ICD-B1I); GLONASS channels after the constellation status of the information and analysis
/// centre; longitudes of geostationary satellites are nominal and from memory.
enum SkyAlmanac {
    struct Entry: Sendable {
        var id: SatelliteID
        var frequencySlot: UInt8?
        var orbit: Orbit
        var fading: Fading
        /// The satellite's place in the order in which the receiver finds satellites, from 0 (first) to 1 (last).
        var acquisitionOrder: Double
    }

    static func entries(of constellations: [Constellation], longitude: Double, seed: UInt64) -> [Entry] {
        var random = SplitMix64(seed: seed)
        var entries: [Entry] = []
        // Random numbers are drawn for every satellite system, requested or not, so that the satellites of one system
        // do not depend on which others are requested.
        for system in [Constellation.gps, .sbas, .galileo, .beidou, .glonass] {
            let orbits = orbits(of: system, longitude: longitude, random: &random)
            for (number, orbit) in orbits {
                let entry = Entry(
                    id: SatelliteID(system, number),
                    frequencySlot: system == .glonass ? glonassChannel[Int(number - 1) % glonassChannel.count] : nil,
                    orbit: orbit,
                    fading: Fading(random: &random),
                    acquisitionOrder: random.nextUnit()
                )
                if constellations.contains(system) { entries.append(entry) }
            }
        }
        return entries
    }

    private static func orbits(
        of system: Constellation, longitude: Double, random: inout SplitMix64
    ) -> [(UInt8, Orbit)] {
        switch system {
        case .gps:
            walker(Array(1...32), planes: 6, radius: 26_559_800, inclination: 55, random: &random)
        case .glonass:
            walker(Array(1...24), planes: 3, radius: 25_508_000, inclination: 64.8, random: &random)
        case .galileo:
            walker(galileoNumbers, planes: 3, radius: 29_600_000, inclination: 56, random: &random)
        case .beidou:
            beidouGeosynchronous
                + walker(beidouNumbers, planes: 3, radius: 27_906_100, inclination: 55, random: &random)
        case .sbas:
            nearestSBAS(to: longitude)
        case .imes, .qzss, .navic:
            []
        }
    }

    /// Distributes satellites evenly over evenly spaced orbital planes, then shifts each satellite by a few random
    /// degrees.
    private static func walker(
        _ numbers: [UInt8], planes: Int, radius: Double, inclination: Double, random: inout SplitMix64
    ) -> [(UInt8, Orbit)] {
        let firstNode = random.next(in: 0...360)
        let perPlane = (numbers.count + planes - 1) / planes
        return numbers.enumerated().map { index, number in
            let (plane, slot) = (index % planes, index / planes)
            let orbit = Orbit(
                radius: radius,
                inclination: inclination + random.next(in: -0.8...0.8),
                node: firstNode + Double(plane) * 360 / Double(planes) + random.next(in: -2...2),
                argument: Double(slot) * 360 / Double(perPlane) + Double(plane) * 15 + random.next(in: -9...9)
            )
            return (number, orbit)
        }
    }

    /// The two SBAS satellites whose longitudes are nearest to the given one, in degrees east.
    private static func nearestSBAS(to longitude: Double) -> [(UInt8, Orbit)] {
        let sorted = sbas.sorted {
            abs(LocalFrame.wrapped($0.1 - longitude)) < abs(LocalFrame.wrapped($1.1 - longitude))
        }
        return sorted.prefix(2).sorted { $0.0 < $1.0 }.map { number, east in
            (number, Orbit(geosynchronousAt: east, inclination: 0.03, argument: 0))
        }
    }

    private static let sbas: [(UInt8, Double)] = [
        (123, 31.5), (127, 55), (128, 83), (131, -117), (133, -129), (135, -125), (136, 5), (137, 127), (138, -107.3),
    ]

    private static let galileoNumbers: [UInt8] = [
        1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15, 19, 21, 24, 25, 26, 27, 30, 31, 33, 34, 36,
    ]

    private static let beidouNumbers: [UInt8] = [11, 12, 13, 14] + Array(19...35)

    private static let beidouGeosynchronous: [(UInt8, Orbit)] =
        [(1, 140), (2, 80), (3, 110.5), (4, 160), (5, 58.75)].map { number, east in
            (UInt8(number), Orbit(geosynchronousAt: east, inclination: 1.5, argument: 0))
        }
        + [(6, 118), (7, 118), (8, 118), (9, 95), (10, 95)].enumerated().map { index, slot in
            (
                UInt8(slot.0),
                Orbit(geosynchronousAt: Double(slot.1), inclination: 55, argument: Double(index) * 120)
            )
        }

    /// The GLONASS frequency channel plus 7, for each of the slots 1 to 24.
    private static let glonassChannel: [UInt8] = [
        8, 3, 12, 13, 8, 3, 12, 13, 5, 0, 7, 6, 5, 0, 7, 6, 11, 4, 10, 9, 11, 4, 10, 9,
    ]
}

/// The variation of one satellite's signal strength: two slow waves, and now and then shadowing near the horizon.
struct Fading: Sendable {
    private let offset: Double
    private let periods: (Double, Double, Double)
    private let phases: (Double, Double, Double)

    init(random: inout SplitMix64) {
        offset = random.next(in: -2...2)
        periods = (random.next(in: 40...90), random.next(in: 150...400), random.next(in: 500...1500))
        phases = (random.next(in: 0...6.28), random.next(in: 0...6.28), random.next(in: 0...6.28))
    }

    /// The signal's strength in dB-Hz at an elevation in radians.
    func carrierToNoise(elevation: Double, atSeconds seconds: Double) -> Double {
        let height = max(sin(elevation), 0)
        let wander = 1.2 * wave(seconds, periods.0, phases.0) + 2 * wave(seconds, periods.1, phases.1)
        let shade = max(wave(seconds, periods.2, phases.2), 0)
        let shadow = 16 * (1 - height) * shade * shade * shade * shade
        return 25 + 23 * height.squareRoot() + offset + wander - shadow
    }

    private func wave(_ seconds: Double, _ period: Double, _ phase: Double) -> Double {
        sin(2 * .pi * seconds / period + phase)
    }
}
