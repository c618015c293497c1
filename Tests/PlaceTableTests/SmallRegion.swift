import Foundation
import PlaceTable

/// A region table of some addresses, written by hand.
enum SmallRegion {
    static let head =
        #"{"type":"NominatimDumpFile","content":{"version":"0.1.0","data_timestamp":"2026-02-01T00:00Z"}}"#

    static let dump = [
        #"{"type":"CountryInfo","content":[{"country_code":"ch","name":{"name":"Schweiz","name:en":"Switzerland"}}]}"#,
        place(
            #""osm_key":"place","osm_value":"city","name":{"name":"Zürich"},"extra":{"population":415367}"#, 47.3744,
            8.5417),
        place(#""osm_key":"place","osm_value":"city","name":{"name":"Biel/Bienne"}"#, 47.1372, 7.2459),
        house("1", 47.3673, 8.5405), house("5", 47.3680, 8.5400), house("6a", 47.3681, 8.5398),
        house("11", 47.3700, 8.5390),
        place(
            #""osm_key":"highway","osm_value":"residential","name":{"name":"Rennweg"},"address":{"city":"Zürich"}"#,
            47.3730, 8.5390),
        place(
            #""osm_key":"tourism","osm_value":"museum","name":{"name":["Landesmuseum"]},"address":{"city":"Zürich"}"#,
            47.3790, 8.5402),
        #"{"type":"Unknown","content":5}"#,
    ]

    static func house(_ number: String, _ latitude: Double, _ longitude: Double, in town: String = "Zürich") -> String {
        place(
            """
            "osm_key":"place","osm_value":"house","housenumber":"\(number)","postcode":"8001",\
            "address":{"street":"Bahnhofstrasse","city":"\(town)"}
            """, latitude, longitude)
    }

    static func place(_ members: String, _ latitude: Double, _ longitude: Double) -> String {
        #"{"type":"Place","content":[{\#(members),"country_code":"ch","centroid":[\#(longitude),\#(latitude)]}]}"#
    }

    static func feature(_ id: String, _ geometry: String, _ tags: String) -> String {
        #"{"type":"Feature","id":"\#(id)","geometry":\#(geometry),"properties":{\#(tags)}}"#
    }

    static func path() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent("region.sqlite").path
    }

    /// Writes lines to a table in a folder of its own.
    static func write(
        _ lines: [String] = [head] + dump, to path: String? = nil,
        options: RegionTableWriter.Options = RegionTableWriter.Options()
    ) throws -> String {
        let path = try path ?? SmallRegion.path()
        var writer = try RegionTableWriter(name: "input", path: path, options)
        for line in lines { try writer.add(line: Array(line.utf8)) }
        _ = try writer.finish()
        return path
    }
}
