internal import Access
internal import ClientProtocol
internal import Monitors
internal import Parts
internal import SextantJSON

/// Reads a manifest's `regions`, at whose borders the daemon starts services and the uplink sends messages.
///
/// | key | value | what |
/// |---|---|---|
/// | `name` | a text of 1 to 256 bytes | the region's name, unique in the manifest |
/// | `shape` | `latitude`, `longitude`, `radius`; or `polygon`; or `multiPolygon` | as in the request `monitorRegion` |
/// | `onEnter`, `onExit`, `onDwell` | a service | the service to start on entry, on exit, and after `dwell` |
/// | `topic` | an MQTT topic of 1 to 256 bytes | where the uplink sends the events; needed if there is no service |
/// | `dwell` | seconds, 1 to 31536000 | how long a stay must last to count as a dwell; needs `onDwell` or `topic` |
enum ManifestRegions {
    static func take(
        _ key: String, from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> [BorderRegion] {
        guard let value = file.take(key) else { return [] }
        guard case .array(let elements) = value else {
            throw file.wrong(key, value, expected: "a list of regions, such as [\(example)]")
        }
        var regions: [BorderRegion] = []
        for (place, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                throw file.wrong("\(key)[\(place)]", element, expected: "a region, such as \(example)")
            }
            var section = file.section("\(key)[\(place)]", members)
            let region = try takeRegion(from: &section)
            guard !regions.contains(where: { $0.name == region.name }) else {
                let expected = "a name that no region before it has; rename one of the two"
                throw section.wrong("name", .string(region.name), expected: expected)
            }
            regions.append(region)
        }
        return regions
    }

    /// Throws if the regions are more than the manifest allows, or if a region would start the client's own service.
    static func check(_ manifest: ClientManifest, in file: ConfigurationSection) throws(ConfigurationError) {
        let count = manifest.regions.count
        guard count <= manifest.maximumRegions else {
            throw ConfigurationError(
                description: "\(file.path): regions: \(count) regions are more than maximumRegions, which is "
                    + "\(manifest.maximumRegions); remove some, or raise it")
        }
        for (place, region) in manifest.regions.enumerated() {
            for (key, unit) in [("onEnter", region.onEnter), ("onExit", region.onExit), ("onDwell", region.onDwell)] {
                guard let unit, unit == manifest.wakeUnit || unit == manifest.selector.unit else { continue }
                throw file.wrong(
                    "regions[\(place)].\(key)", .string(unit),
                    expected: "another service than the client's own, which only wakeUnit starts")
            }
        }
    }

    private static let example =
        "{ name: \"home\", shape: { latitude: 47.38, longitude: 8.54, radius: 100 }, onEnter: \"gate.service\" }"

    private static func takeRegion(from section: inout ConfigurationSection) throws(ConfigurationError) -> BorderRegion
    {
        var region = BorderRegion(name: try takeName(from: &section), shape: try takeShape(from: &section))
        region.onEnter = try takeUnit("onEnter", from: &section)
        region.onExit = try takeUnit("onExit", from: &section)
        region.onDwell = try takeUnit("onDwell", from: &section)
        region.topic = try takeTopic(from: &section)
        region.dwell = try section.takeNumber("dwell", in: ClientRequest.dwellRange, "seconds")
        try section.finish()
        guard region.onEnter != nil || region.onExit != nil || region.onDwell != nil || region.topic != nil else {
            throw section.missing("onEnter", "name a service for onEnter, onExit or onDwell, or a topic")
        }
        guard region.onDwell == nil || region.dwell != nil else {
            throw section.missing("dwell", "say after how many seconds onDwell is started")
        }
        guard region.dwell == nil || region.onDwell != nil || region.topic != nil else {
            throw section.missing("onDwell", "name the service to start after dwell, or remove dwell")
        }
        return region
    }

    /// Reads the region's name, which is written to the log and to the file that the started service can read.
    private static func takeName(from section: inout ConfigurationSection) throws(ConfigurationError) -> String {
        guard let value = section.take("name") else { throw section.missing("name", "give the region a name") }
        guard case .string(let name) = value, (1...ClientRequest.maximumIdentifierBytes).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            let longest = ClientRequest.maximumIdentifierBytes
            throw section.wrong("name", value, expected: "a text of 1 to \(longest) bytes, in one line")
        }
        return name
    }

    private static func takeShape(from section: inout ConfigurationSection) throws(ConfigurationError) -> RegionShape {
        let keys = "latitude, longitude and radius, or polygon, or multiPolygon"
        guard let value = section.take("shape") else { throw section.missing("shape", "give it \(keys)") }
        guard case .object(let members) = value else {
            throw section.wrong("shape", value, expected: "an object with \(keys)")
        }
        let inner = section.section("shape", members)
        do throws(ClientRequestError) {
            return try RegionRequest.shape(of: members)
        } catch {
            switch error {
            case .badValue(let key, let expected):
                throw inner.wrong(key, members[key] ?? .null, expected: expected)
            case .missing(let key): throw inner.missing(key, "a shape has \(keys)")
            case .unknownKey(let key):
                throw inner.wrong(key, members[key] ?? .null, expected: "left out: a shape has \(keys)")
            case .tooLong, .notAnObject, .unknownRequest:
                throw section.wrong("shape", value, expected: "an object with \(keys)")
            }
        }
    }

    /// Reads an MQTT topic to publish to.
    ///
    /// Source: MQTT 3.1.1, 4.7: no wildcard and no NUL; topics that begin with $ are the broker's own.
    private static func takeTopic(from section: inout ConfigurationSection) throws(ConfigurationError) -> String? {
        guard let topic = try section.takeString("topic") else { return nil }
        guard (1...256).contains(topic.utf8.count), topic.first != "$",
            !topic.unicodeScalars.contains(where: { "+#".unicodeScalars.contains($0) || $0.value < 32 })
        else {
            throw section.wrong(
                "topic", .string(topic),
                expected: "an MQTT topic of 1 to 256 bytes without + and #, such as \"harbour/boat\"")
        }
        return topic
    }

    private static func takeUnit(
        _ key: String, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> String? {
        guard let unit = try section.takeString(key) else { return nil }
        guard UnitName.canBeWoken(unit) else {
            throw section.wrong(key, .string(unit), expected: UnitName.expectedToWake)
        }
        return unit
    }
}
