internal import Dispatch
internal import Foundation
internal import GeocoderClient
internal import SextantPlaces

#if Geocoding
    internal import PlaceTable
#endif

/// The board's geocoding service, if there is one, and the tables of places, each used on a dispatch queue of its own.
///
/// The service can take as long as its server, and the tables as long as a slow SD card. Because of the queues a caller
/// waits for neither, and a lookup in the tables does not wait for the server.
final class GeocodingWork: @unchecked Sendable {
    // Safety: the tables are used on their own dispatch queue alone, and all other properties are constant.

    /// The board's geocoding service and the installed tables, shared so that a process opens the tables only once.
    static let installed = GeocodingWork(
        PlaceFiles.paths, geocoder: GeocoderSocket.installed, newest: { NewestLocation.ofProcess })

    private let queue = DispatchQueue(label: "sextant.places")
    private let serverQueue = DispatchQueue(label: "sextant.geocoder")
    private let tables: PlaceTables
    private let geocoder: GeocoderSocket?
    private let newest: @Sendable () -> CLLocation?

    /// - Parameters:
    ///   - find: Returns the paths of the tables of places; called on the tables' queue before each lookup.
    ///   - geocoder: The geocoding service; nil to use the tables alone.
    ///   - newest: Returns the program's newest location; places near it come first if a request names no region.
    init(
        _ find: @escaping @Sendable () -> [String], geocoder: GeocoderSocket? = nil,
        newest: @escaping @Sendable () -> CLLocation? = { nil }
    ) {
        tables = PlaceTables(find)
        self.geocoder = geocoder
        self.newest = newest
    }

    enum Question: Sendable {
        case reverse(latitude: Double, longitude: Double, of: CLLocation)
        case forward(PlaceQuestion)

        /// A copy of this request in which places within a given circle come first; a request that already has a circle
        /// keeps its own.
        func hinted(_ hint: PlaceQuestion.Hint?) -> Question {
            guard case .forward(var question) = self, question.hint == nil else { return self }
            question.hint = hint
            return .forward(question)
        }
    }

    struct Failure: Error {
        var code: CLError.Code
        var userInfo: [String: [PlaceDescription]] = [:]
        /// The time in seconds after which the geocoding service accepts lookups again.
        var retryAfter: Double?
        var text: String?
    }

    /// Looks up the answer to a request, and then calls `end` once, on one of this object's two queues.
    ///
    /// The geocoding service is asked first; if no answer comes in time, the tables of places are asked. Nothing is
    /// looked up for a request that is over.
    func ask(
        _ question: Question, _ locale: Locale?, unless isOver: @escaping @Sendable () -> Bool,
        _ end: @escaping @Sendable (Result<[PlaceDescription], Failure>) -> Void
    ) {
        let question = question.hinted(NewestLocation.hint(near: newest()))
        guard let geocoder, geocoder.isThere else { return askTables(question, locale, unless: isOver, end) }
        let deadline = geocoder.deadline()
        serverQueue.async { [self] in
            // A request that was cancelled while it waited in the queue has ended already, and is not looked up.
            guard !isOver() else { return }
            let asked = ServerQuestion(question, locale)
            switch geocoder.ask(asked, until: deadline, unless: isOver) {
            case .places(let marks)? where !marks.isEmpty:
                queue.async { [self] in end(.success(descriptions(marks, question, locale))) }
            case .tooMany(let seconds)?:
                let text = "too many lookups; the geocoder takes more in \(Int(seconds.rounded(.up))) s"
                end(.failure(Failure(code: .network, retryAfter: seconds, text: text)))
            default: askTables(question, locale, unless: isOver, end)
            }
        }
    }

    private func askTables(
        _ question: Question, _ locale: Locale?, unless isOver: @escaping @Sendable () -> Bool,
        _ end: @escaping @Sendable (Result<[PlaceDescription], Failure>) -> Void
    ) {
        queue.async { [self] in
            guard !isOver() else { return }
            end(answer(question, locale))
        }
    }

    /// The server's placemarks, with the missing parts added from the tables of places; called on the tables' queue.
    private func descriptions(_ marks: [Placemark], _ question: Question, _ locale: Locale?) -> [PlaceDescription] {
        guard case .reverse(let latitude, let longitude, let location) = question else {
            return tables.completed(marks).map { PlaceDescription($0, of: nil, locale) }
        }
        let point = (latitude: latitude, longitude: longitude)
        return tables.completed(marks, of: point).map { PlaceDescription($0, of: location, locale) }
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
    /// - Parameter location: The location to find an address for; nil if the request gave an address or a name instead.
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

    /// The country's name in the wanted language and script; nil if it is unknown or English, so that the table's
    /// English name is used.
    ///
    /// Foundation looks the name up under the locale's language, script and region, then under its language and script
    /// alone. If the locale names no script, the usual script of its region counts, or else that of its language. A
    /// name in another script of the language is never used. Without a locale, the user's locale counts. For English,
    /// Foundation's language data are not read.
    private static func country(_ mark: Placemark, _ locale: Locale?) -> String? {
        let locale = locale ?? Locale.current
        let language = locale.identifier.prefix { !"-_.@".contains($0) }.lowercased()
        guard let code = mark.isoCountryCode, (2...3).contains(language.count), !language.hasPrefix("en") else {
            return nil
        }
        let name = locale.localizedString(forRegionCode: code)
        // If Foundation knows no name in the language, it returns the English name.
        let english = Locale(identifier: "en").localizedString(forRegionCode: code)
        return name == code || name == english ? nil : name
    }
}

extension ServerQuestion {
    /// Makes the request that the geocoding service sends to its server.
    init(_ question: GeocodingWork.Question, _ locale: Locale?) {
        let language = ServerQuestion.language(of: locale ?? Locale.current)
        switch question {
        case .reverse(let latitude, let longitude, let location):
            self.init(
                .reverse(latitude: latitude, longitude: longitude), level: ServerQuestion.level(of: location),
                language: language)
        case .forward(let question):
            self.init(.forward(text: question.text, near: question.hint), language: language)
        }
    }

    /// A locale's identifier; the script is added if the region implies another script than the language alone does.
    ///
    /// Servers have names under zh-Hant and zh-Hans, and seldom under zh-TW.
    private static func language(of locale: Locale) -> String {
        let language = locale.language
        guard let code = language.languageCode, let script = language.script, let region = language.region,
            script != Locale.Language(identifier: code.identifier).script
        else { return locale.identifier }
        return "\(code.identifier)-\(script.identifier)-\(region.identifier)"
    }

    /// The level of detail to request for a location: a town if it is coarse, an area if its speed is high, and
    /// otherwise a street.
    ///
    /// A coarse location cannot name a street, and a fast device is in another street by the time the answer is read.
    private static func level(of location: CLLocation) -> ServerLevel {
        if location.horizontalAccuracy >= ServerLevel.coarseAccuracy { return .town }
        return location.speed >= ServerLevel.fastSpeed ? .area : .street
    }
}
