internal import Dispatch
internal import Foundation
internal import PlaceTable
internal import Places

/// Tables of places, asked on a queue of their own.
///
/// Opening a table, and each lookup, may wait for a slow card: no caller does.
final class GeocodingWork: @unchecked Sendable {
    // Safety: `tables` is used on `queue` alone.

    /// The tables that are installed, which a process opens once.
    static let installed = GeocodingWork(PlaceFiles.paths)

    private let queue = DispatchQueue(label: "sextant.places")
    private let tables: PlaceTables

    /// - Parameter find: Tells the tables' paths, before each lookup and on the queue.
    init(_ find: @escaping @Sendable () -> [String]) { tables = PlaceTables(find) }

    enum Question: Sendable {
        case reverse(latitude: Double, longitude: Double, of: CLLocation)
        case forward(PlaceQuestion)
    }

    struct Failure: Error {
        var code: CLError.Code
        var userInfo: [String: [PlaceDescription]] = [:]
        var text: String?
    }

    /// Looks a question up, and then calls `end` once, on the queue of the tables.
    func ask(
        _ question: Question, _ locale: Locale?, unless isOver: @escaping @Sendable () -> Bool,
        _ end: @escaping @Sendable (Result<[PlaceDescription], Failure>) -> Void
    ) {
        queue.async { [self] in
            // A request that was cancelled meanwhile has ended already.
            guard !isOver() else { return }
            end(answer(question, locale))
        }
    }

    private func answer(_ question: Question, _ locale: Locale?) -> Result<[PlaceDescription], Failure> {
        do throws(PlaceTableError) {
            switch question {
            case .reverse(let latitude, let longitude, let location):
                guard let mark = try tables.reverse(latitude: latitude, longitude: longitude) else {
                    return .failure(Failure(code: .geocodeFoundNoResult))
                }
                return .success([PlaceDescription(mark, of: location, locale)])
            case .forward(let question):
                guard FoldedText(question.text).isQuestion else {
                    return .failure(Failure(code: .geocodeFoundNoResult))
                }
                switch try tables.forward(question) {
                case .places(let marks): return .success(marks.map { PlaceDescription($0, of: nil, locale) })
                case .partial(let marks):
                    let partial = marks.map { PlaceDescription($0, of: nil, locale) }
                    return .failure(
                        Failure(code: .geocodeFoundPartialResult, userInfo: ["SextantPartialPlacemarks": partial]))
                case .nothing: return .failure(Failure(code: .geocodeFoundNoResult))
                }
            }
        } catch {
            let text = error.kind == .missing ? "no geocoding service is connected" : "\(error)"
            return .failure(Failure(code: .network, text: text))
        }
    }
}

extension PlaceDescription {
    /// - Parameter location: The location that was asked about; nil where the question was for a name.
    init(_ mark: Placemark, of location: CLLocation?, _ locale: Locale?) {
        self.init()
        let centre = CLLocationCoordinate2D(latitude: mark.latitude, longitude: mark.longitude)
        self.location =
            location
            ?? CLLocation(
                coordinate: centre, altitude: 0, horizontalAccuracy: mark.radius, verticalAccuracy: -1,
                timestamp: Date())
        region = CLCircularRegion(
            center: centre, radius: mark.radius, identifier: "\(mark.latitude), \(mark.longitude)")
        timeZone = mark.timeZone.flatMap(TimeZone.init(identifier:))
        areasOfInterest = mark.areasOfInterest.isEmpty ? nil : mark.areasOfInterest
        self[.name] = mark.name
        self[.thoroughfare] = mark.thoroughfare
        self[.subThoroughfare] = mark.subThoroughfare
        self[.locality] = mark.locality
        self[.subLocality] = mark.subLocality
        self[.administrativeArea] = mark.administrativeArea
        self[.subAdministrativeArea] = mark.subAdministrativeArea
        self[.postalCode] = mark.postalCode
        self[.isoCountryCode] = mark.isoCountryCode
        self[.country] = PlaceDescription.country(mark, locale) ?? mark.country
        self[.inlandWater] = mark.inlandWater
        self[.ocean] = mark.ocean
    }

    /// The country's name in the wanted language; nil for English, which the tables have, and where there is none.
    ///
    /// Without a wanted language it is the user's; Foundation's data of languages are read for another one alone.
    private static func country(_ mark: Placemark, _ locale: Locale?) -> String? {
        let locale = locale ?? Locale.current
        guard let code = mark.isoCountryCode, let language = locale.identifier.split(separator: "_").first,
            language.hasPrefix("en") == false, language.count <= 3
        else { return nil }
        let name = locale.localizedString(forRegionCode: code)
        return name == code ? nil : name
    }
}
