import Access
import Configuration
import Monitors
import Parts
import TestSupport
import Testing

@Suite("Regions of a manifest")
struct ManifestRegionsTests {
    let folder = TemporaryFolder.withClients

    private static let shape = "shape: { latitude: 47.5, longitude: 8.5, radius: 100 }"

    private func read(_ members: String) throws(ConfigurationError) -> ClientManifest {
        let path = (try? folder.manifest("tracker.json5", "{ unit: 'tracker.service', \(members) }")) ?? ""
        return try ManifestFile.manifest(readFrom: path, accounts: .forTests)
    }

    /// The error that a manifest with this list of regions gives, without the file's name; nil if there is no error.
    private func complaint(_ regions: String, _ members: String = "") -> String? {
        do throws(ConfigurationError) {
            _ = try read("regions: \(regions), \(members)")
            return nil
        } catch {
            return String(error.description.dropFirst("\(folder.clients)/tracker.json5: ".count))
        }
    }

    @Test func `a circle's and a polygon's services are read, and a topic alone will do`() throws {
        let manifest = try read(
            """
            regions: [
                { name: 'home', \(Self.shape), onEnter: 'gate.service', onExit: 'lock.service' },
                { name: 'yard', shape: { polygon: [[[8, 47], [8.5, 47], [8, 47.5], [8, 47]]] },
                  dwell: 600, onDwell: 'heat@2.service' },
                { name: 'quay', \(Self.shape), topic: 'harbour/boat', dwell: 60 },
            ],
            """)
        var home = BorderRegion(name: "home", shape: .circle(latitude: 47.5, longitude: 8.5, radius: 100))
        home.onEnter = "gate.service"
        home.onExit = "lock.service"
        let corners = [(47.0, 8.0), (47.0, 8.5), (47.5, 8.0), (47.0, 8.0)]
        let ring = corners.map { RegionPolygon.Position(latitude: $0.0, longitude: $0.1) }
        var yard = BorderRegion(name: "yard", shape: .polygon(try RegionPolygon([ring])))
        yard.onDwell = "heat@2.service"
        yard.dwell = 600
        var quay = BorderRegion(name: "quay", shape: home.shape)
        quay.topic = "harbour/boat"
        quay.dwell = 60
        #expect(manifest.regions == [home, yard, quay])
        #expect(try read("").regions == [])
    }

    @Test(
        arguments: [
            ("\(shape), onEnter: 'a.service'", "regions[0].name: missing; give the region a name"),
            (
                "name: '', \(shape), onEnter: 'a.service'",
                "regions[0].name: \"\" must be a text of 1 to 256 bytes, in one line"
            ),
            (
                "name: 'a', onEnter: 'a.service'",
                "regions[0].shape: missing; give it latitude, longitude and radius, or polygon, or multiPolygon"
            ),
            (
                "name: 'a', shape: { latitude: 91, longitude: 8, radius: 9 }, onEnter: 'a.service'",
                "regions[0].shape.latitude: 91 must be degrees from -90 to 90"
            ),
            (
                "name: 'a', shape: { latitude: 47, longitude: 8 }, onEnter: 'a.service'",
                "regions[0].shape.radius: missing; a shape has latitude, longitude and radius, or polygon, or multiPolygon"
            ),
            (
                "name: 'a', shape: { latitude: 47, longitude: 8, radius: 0 }, onEnter: 'a.service'",
                "regions[0].shape.radius: 0 must be above 0 and at most 1000000 metres"
            ),
            (
                "name: 'a', \(shape), onEnter: 'gate'",
                "regions[0].onEnter: \"gate\" must be a service of the system, such as \"tracker.service\", of letters, "
                    + "digits and :_.@-"
            ),
            (
                "name: 'a', \(shape), onEnter: 'tracker.service'",
                "regions[0].onEnter: \"tracker.service\" must be another service than the client's own, which only "
                    + "wakeUnit starts"
            ),
            (
                "name: 'a', \(shape)",
                "regions[0].onEnter: missing; name a service for onEnter, onExit or onDwell, or a topic"
            ),
            (
                "name: 'a', \(shape), onDwell: 'a.service'",
                "regions[0].dwell: missing; say after how many seconds onDwell is started"
            ),
            (
                "name: 'a', \(shape), onEnter: 'a.service', dwell: 60",
                "regions[0].onDwell: missing; name the service to start after dwell, or remove dwell"
            ),
            (
                "name: 'a', \(shape), onEntry: 'a.service'",
                "regions[0].onEntry: unknown key; the keys here are name, shape, onEnter, onExit, onDwell, topic, dwell"
            ),
            (
                "name: 'a', \(shape), topic: 'boat/#'",
                "regions[0].topic: \"boat/#\" must be an MQTT topic of 1 to 256 bytes without + and #, such as "
                    + "\"harbour/boat\""
            ),
        ])
    func `a wrong region gets one error that names its key and the mend`(members: String, complaint: String) {
        #expect(self.complaint("[{ \(members) }]") == complaint)
    }

    @Test func `two regions of one name, and more than the client may have, are refused`() {
        let home = "{ name: 'home', \(Self.shape), onEnter: 'gate.service' }"
        #expect(
            complaint("[\(home), \(home)]")
                == "regions[1].name: \"home\" must be a name that no region before it has; rename one of the two")
        let yard = "{ name: 'yard', \(Self.shape), onExit: 'lock.service' }"
        #expect(
            complaint("[\(home), \(yard)]", "maximumRegions: 1,")
                == "regions: 2 regions are more than maximumRegions, which is 1; remove some, or raise it")
        let list = "regions: an object must be a list of regions, such as [{ name: "
        #expect(complaint("{}")?.hasPrefix(list) == true)
    }
}
