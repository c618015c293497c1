import Configuration
import Foundation
import SextantPlaces
import Testing

@testable import Geocoder

@Suite("The geocoder's configuration")
struct GeocoderSettingsTests {
    private let folder = TemporaryFolder()

    private func read(_ geocoding: String) throws(ConfigurationError) -> GeocoderSettings {
        let path = "\(folder.path)/sextant.json5"
        try? "{ board: \"b\", geocoding: \(geocoding) }".write(toFile: path, atomically: true, encoding: .utf8)
        return try GeocoderSettings.read(from: path)
    }

    private func problem(_ geocoding: String) -> String {
        do throws(ConfigurationError) {
            _ = try read(geocoding)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func `what is left out is as documented`() throws {
        let settings = try read("{ server: 'https://names.example/nominatim/' }")
        #expect(settings.server == "https://names.example/nominatim" && settings.format == .nominatim)
        #expect(settings.interval == 1 && settings.timeout == 10 && settings.perClient == 50)
        #expect(settings.cacheDays == 30 && settings.level == .street && settings.contact == nil)
    }

    @Test func `every key is read`() throws {
        let settings = try read(
            """
            { server: 'http://192.168.1.2:2322', allowPlain: true, format: 'photon', contact: 'a@b.example',
              interval: 0.5, timeout: 5, perClient: 10, cacheDays: 7, level: 'town' }
            """)
        var wanted = GeocoderSettings(server: "http://192.168.1.2:2322")
        (wanted.allowPlain, wanted.format, wanted.contact) = (true, .photon, "a@b.example")
        (wanted.interval, wanted.timeout, wanted.perClient) = (0.5, 5, 10)
        (wanted.cacheDays, wanted.level) = (7, .town)
        #expect(settings == wanted)
    }

    @Test(arguments: [
        ("{ server: 'https://nominatim.openstreetmap.org' }", "geocoding.contact: missing"),
        ("{ server: 'https://Nominatim.OpenStreetMap.org.:443/', interval: 2 }", "geocoding.contact: missing"),
        (
            "{ server: 'https://nominatim.openstreetmap.org', contact: 'a@b.example', interval: 0.5 }",
            "geocoding.interval: 0.5 must be 1 or more"
        ),
    ])
    func `GEO-41: the public server wants a contact and an interval of a second`(text: String, words: String) {
        #expect(problem(text).contains(words))
        #expect(throws: Never.self) {
            try read("{ server: 'https://nominatim.openstreetmap.org', contact: 'a@b.example' }")
        }
    }

    @Test(arguments: [
        ("{}", "geocoding.server: missing"), ("{ server: '' }", "geocoding.server"), ("7", "geocoding: 7 must be"),
        ("{ server: 'https://a.example', cache: 1 }", "geocoding.cache: unknown key"),
        ("{ server: 'https://a.example', format: 'pelias' }", "geocoding.format"),
        ("{ server: 'https://a.example', timeout: 11 }", "geocoding.timeout"),
        ("{ server: 'https://a.example', perClient: 1.5 }", "geocoding.perClient"),
        ("{ server: 'https://a.example', contact: 'a\\nb' }", "geocoding.contact"),
        ("{ server: 'http://127.0.0.1' }", "allowPlain"), ("{ server: 'ftp://a.example' }", "geocoding.server"),
        ("{ server: 'http://a.example', allowPlain: true }", "geocoding.server"),
        ("{ server: 'http://172.32.0.1', allowPlain: true }", "geocoding.server"),
    ])
    func `GEO-41: a mistake names its key`(text: String, words: String) {
        #expect(problem(text).contains(words), "\(problem(text))")
    }

    @Test(arguments: [
        "https://", "https://user@a.example", "https://a.example?q", "https://a.example#x", "https://a b",
        "https://a.example:0", "https://a.example:x", "a.example", "https://[::1", "https://a\\b",
    ])
    func `a text that is no address of a server is refused`(text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost:8080/x", true), ("http://127.0.0.1", true), ("http://[::1]:80", true),
        ("http://10.1.2.3", true), ("http://172.16.0.1", true), ("http://[fd00::1]", true), ("http://[fe80::1]", true),
        ("http://localhost.example", false), ("http://8.8.8.8", false), ("http://10.0.0.1.example", false),
        ("http://[2001:db8::1]", false), ("http://10.0.0", false), ("http://010.0.0.1", false),
        ("http://10.0.0.1.", true),
    ])
    func `http is for this machine and private addresses`(text: String, isPrivate: Bool) throws {
        #expect(try #require(ServerAddress(text)).isPrivate == isPrivate)
    }
}

/// A folder that ends with its test.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("geocoder-\(UUID().uuidString)").path

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func mode(_ name: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name.isEmpty ? path : "\(path)/\(name)")
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
