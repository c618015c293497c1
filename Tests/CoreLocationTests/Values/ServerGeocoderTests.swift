import CSextantLinux
import PlaceTable
import SextantPlaces
import SextantReactor
import SextantSockets
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation
@testable import GeocoderClient

/// `CLGeocoder` beside a geocoder that answers as the test says.
@Suite("Geocoder with a server")
struct ServerGeocoderTests {
    /// The board's geocoder, in the place of `sextant-geocoder`: one reply a request, on a thread of its own.
    final class Board: Sendable {
        let socket: GeocoderSocket
        private let requests = Mutex<[String]>([])
        private let isOver = Mutex(false)
        private let isSilent = Mutex(false)

        /// - Parameter reply: The line for a request; nil for a connection that is closed without one.
        init(_ reply: @escaping @Sendable (GeocoderRequest) -> GeocoderReply?) throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
            socket = GeocoderSocket(path: path, patience: Patience.nanoseconds)
            let ready = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                guard let reactor = try? Reactor() else { return }
                let lines = ConnectionSettings(separators: .newline, lineLimit: 4096, outputCapacity: 1 << 16)
                let listener = try? UnixListener(path: path, mode: 0o600, settings: lines, reactor: reactor) {
                    connection in
                    try? connection.start(
                        received: { [self] _, line in
                            let bytes = line.indices.map { line[$0] }
                            requests.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                            guard let reply = GeocoderRequest(line: bytes).flatMap(reply) else {
                                if !isSilent.withLock({ $0 }) { connection.close() }
                                return
                            }
                            _ = connection.send(reply.line + [0x0A])
                        }, ended: { _ in connection.close() })
                }
                ready.signal()
                while !isOver.withLock({ $0 }) { _ = try? reactor.serve(waitingMilliseconds: 100) }
                withExtendedLifetime(listener) {}
            }
            ready.wait()
        }

        /// From now on a request without a reply is left open.
        func keepsSilent() { isSilent.withLock { $0 = true } }

        func end() { isOver.withLock { $0 = true } }

        /// The lines that were asked so far.
        var asked: [String] { requests.withLock { $0 } }
    }

    private static let place = CLLocation(latitude: 47.4111, longitude: 8.5446)

    private static let street: Placemark = {
        var mark = Placemark(latitude: 47.4112, longitude: 8.5447, radius: 30, source: .server)
        (mark.name, mark.thoroughfare, mark.subThoroughfare) = ("Bahnhofstrasse 1", "Bahnhofstrasse", "1")
        (mark.locality, mark.isoCountryCode, mark.country) = ("Zürich", "CH", "Schweiz")
        return mark
    }()

    private static let table = placeTable([
        "country\tCH\tSwitzerland", "place\tZürich\t47.36667\t8.55\t415367\tCH\t\t\tEurope/Zurich\t",
    ])

    private func geocoder(_ board: Board, tables: [String] = [table]) -> CLGeocoder {
        CLGeocoder(GeocodingWork({ tables }, geocoder: board.socket))
    }

    @MainActor @Test func `a server's street comes first, and the table tells the time zone`() async throws {
        let board = try Board { _ in .places([Self.street]) }
        defer { board.end() }
        let mark = try #require(try await geocoder(board).reverseGeocodeLocation(Self.place).first)
        #expect(mark.thoroughfare == "Bahnhofstrasse" && mark.subThoroughfare == "1" && mark.locality == "Zürich")
        #expect(mark.timeZone?.identifier == "Europe/Zurich" && mark.location == Self.place)
        let found = try #require(try await geocoder(board).geocodeAddressString("Bahnhofstrasse 1").first)
        #expect(found.location?.horizontalAccuracy == 30 && found.location?.coordinate.latitude == 47.4112)
    }

    @MainActor @Test(arguments: [GeocoderReply.unavailable, .places([]), .refused, nil])
    func `GEO-38: without an answer of the server that of the table stands, and there is no error`(
        reply: GeocoderReply?
    ) async throws {
        let board = try Board { _ in reply }
        defer { board.end() }
        let mark = try await geocoder(board).reverseGeocodeLocation(Self.place).first
        #expect(mark?.locality == "Zürich" && mark?.thoroughfare == nil && board.asked.count == 1)
    }

    @MainActor @Test func `GEO-02, GEO-35: too many lookups are the error network with the seconds to wait`()
        async throws
    {
        let board = try Board { _ in .tooMany(retryAfter: 12.5) }
        defer { board.end() }
        do {
            _ = try await geocoder(board).reverseGeocodeLocation(Self.place)
            Issue.record("an answer came")
        } catch let error as CLError {
            #expect(error.code == .network && error.userInfo["SextantRetryAfter"] as? Double == 12.5)
        }
    }

    @MainActor @Test func `GEO-07: a server without a table is enough`() async throws {
        let board = try Board { _ in .places([Self.street]) }
        defer { board.end() }
        let mark = try await geocoder(board, tables: []).reverseGeocodeLocation(Self.place).first
        #expect(mark?.thoroughfare == "Bahnhofstrasse" && mark?.timeZone == nil)
    }

    @MainActor @Test func `GEO-41: without the socket's file the table is asked at once`() async throws {
        let nothing = GeocoderSocket(path: "/nonexistent/geocoder.sock")
        #expect(!nothing.isThere)
        let geocoder = CLGeocoder(GeocodingWork({ [Self.table] }, geocoder: nothing))
        #expect(try await geocoder.reverseGeocodeLocation(Self.place).first?.locality == "Zürich")
    }

    @MainActor @Test func `a coarse location asks for the town, and a fast one for the part of it`() async throws {
        let board = try Board { _ in .unavailable }
        defer { board.end() }
        for (accuracy, speed) in [(5000.0, 0.0), (10, 25), (10, 1)] {
            let location = CLLocation(
                coordinate: Self.place.coordinate, altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1,
                course: 0, speed: speed, timestamp: Date())
            _ = try await geocoder(board).reverseGeocodeLocation(location, preferredLocale: Locale(identifier: "de_CH"))
        }
        let levels = try board.asked.map { try #require(GeocoderRequest(line: Array($0.utf8))) }.map {
            if case .question(let question) = $0 { question.level } else { ServerLevel.street }
        }
        #expect(levels == [.town, .area, .street] && board.asked.allSatisfy { $0.contains("\"language\":\"de-CH\"") })
    }

    @MainActor @Test func `GEO-17: the server is told the script where the locale names or implies one`() async throws {
        let board = try Board { _ in .unavailable }
        defer { board.end() }
        let locales = [
            ("zh-Hant-TW", "zh-Hant-TW"), ("zh_TW", "zh-Hant-TW"), ("zh-HK", "zh-Hant-HK"), ("zh_CN", "zh-CN"),
            ("zh-Hans", "zh-Hans"), ("sr-Latn", "sr-Latn"), ("sr_RS", "sr-RS"), ("de_CH", "de-CH"), ("ja", "ja"),
        ]
        for (locale, _) in locales {
            _ = try await geocoder(board).reverseGeocodeLocation(
                Self.place, preferredLocale: Locale(identifier: locale))
        }
        let languages = try board.asked.map { try #require(GeocoderRequest(line: Array($0.utf8))) }.map {
            if case .question(let question) = $0 { question.language } else { "" }
        }
        #expect(languages == locales.map { $0.1 })
    }

    @MainActor @Test func `GEO-43: a name is looked for near the newest location, and no finer than 0.1 degrees`()
        async throws
    {
        let board = try Board { _ in .unavailable }
        defer { board.end() }
        let newest = CLLocation(latitude: 47.41113, longitude: 8.54467)
        _ = try? await CLGeocoder(GeocodingWork({ [Self.table] }, geocoder: board.socket, newest: { newest }))
            .geocodeAddressString("Zürich")
        let hint = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 46.2, longitude: 6.14), radius: 1000, identifier: "r")
        _ = try? await geocoder(board).geocodeAddressString("Genf", in: hint)
        #expect(board.asked.count == 2 && board.asked[0].contains("\"near\":[47.4,8.5,50000]"))
        #expect(board.asked[1].contains("\"near\":[46.2,6.14,1000]"))
    }

    @MainActor @Test(arguments: [CLAuthorizationStatus.denied, .restricted])
    func `GEO-43: where the authorization is taken away a name is looked for near nothing`(
        status: CLAuthorizationStatus
    ) async throws {
        let board = try Board { _ in .unavailable }
        defer { board.end() }
        let client = LocationClient(path: "/nonexistent/sextant.sock")
        let work = GeocodingWork(
            { [Self.table] }, geocoder: board.socket, newest: { client.read { $0.newest } })
        for status in [.authorizedWhenInUse, status] {
            client.update { ((), $0.authorize(Authorization(status: status))) }
            client.hold(Self.place)
            _ = try? await CLGeocoder(work).geocodeAddressString("Zürich")
        }
        #expect(board.asked.count == 2 && board.asked[0].contains("near") && !board.asked[1].contains("near"))
    }

    @MainActor @Test func `GEO-03: a cancelled request lets the next one of the process go on`() async throws {
        let board = try Board { request in
            if case .question(let question) = request, question.level == .town { nil } else { .places([Self.street]) }
        }
        defer { board.end() }
        board.keepsSilent()
        let work = GeocodingWork({ [Self.table] }, geocoder: board.socket)
        let first = CLGeocoder(work)
        let coarse = CLLocation(
            coordinate: Self.place.coordinate, altitude: 0, horizontalAccuracy: 5000, verticalAccuracy: -1,
            timestamp: Date())
        let pending = Task { @MainActor in try? await first.reverseGeocodeLocation(coarse) }
        try await eventually("the first request") { !board.asked.isEmpty }
        first.cancelGeocode()
        let mark = try await CLGeocoder(work).reverseGeocodeLocation(Self.place).first
        #expect(mark?.thoroughfare == "Bahnhofstrasse")
        #expect(await pending.value == nil)
    }
}
