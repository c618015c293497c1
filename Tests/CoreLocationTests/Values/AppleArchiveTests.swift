import CoreLocation
import Foundation
import Testing

/// Archives as Apple's Core Location writes them; their keys are from public decompilations of its `encodeWithCoder:`.
@Suite("Archives from Apple's platforms", .serialized)
struct AppleArchiveTests {
    init() { SextantArchives.acceptAppleClassNames() }

    /// Reads an archive of a class of Apple's with these values under its keys.
    private func read<Value: NSObject & NSSecureCoding>(
        _ type: Value.Type, _ values: [String: Any]
    ) throws -> Value? {
        NSKeyedUnarchiver.setClass(type, forClassName: "\(type)")
        let archive = AppleArchive(of: "\(type)", values)
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: archive.bytes)
    }

    private let location: [String: Any] = [
        "kCLLocationCodingKeyCoordinateLatitude": 48.137, "kCLLocationCodingKeyCoordinateLongitude": 11.576,
        "kCLLocationCodingKeyHorizontalAccuracy": 5.0, "kCLLocationCodingKeyAltitude": 519.5,
        "kCLLocationCodingKeyVerticalAccuracy": 3.0, "kCLLocationCodingKeySpeed": 1.25,
        "kCLLocationCodingKeyCourse": 90.0, "kCLLocationCodingKeyTimestamp": 700_000_000.25,
    ]

    @Test func `a location that Apple's class archived has its place, accuracy, motion and time`() throws {
        let back = try #require(try read(CLLocation.self, location))
        #expect(back.coordinate.latitude == 48.137 && back.coordinate.longitude == 11.576)
        #expect(back.horizontalAccuracy == 5 && back.altitude == 519.5 && back.verticalAccuracy == 3)
        #expect(back.speed == 1.25 && back.course == 90 && back.speedAccuracy == -1)
        #expect(back.timestamp == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
    }

    @Test(arguments: [
        "kCLLocationCodingKeyCoordinateLatitude", "kCLLocationCodingKeyCoordinateLongitude",
        "kCLLocationCodingKeyHorizontalAccuracy", "kCLLocationCodingKeyTimestamp",
    ])
    func `a location that lacks a value it cannot do without is nil`(missing: String) throws {
        #expect(try read(CLLocation.self, location.filter { $0.key != missing }) == nil)
    }

    @Test func `an archive whose keys are unknown is nil and not a place at 0 degrees`() throws {
        #expect(try read(CLLocation.self, ["latitude": 48.137, "longitude": 11.576]) == nil)
        #expect(try read(CLHeading.self, ["heading": 90.0]) == nil)
        #expect(try read(CLVisit.self, ["latitude": 48.137]) == nil)
        #expect(try read(CLCircularRegion.self, ["kCLRegionCodingKeyIdentifier": "home"]) == nil)
    }

    @Test func `a heading that Apple's class archived has its angles, field and time`() throws {
        let values: [String: Any] = [
            "kCLHeadingCodingKeyMagneticHeading": 10.0, "kCLHeadingCodingKeyTrueHeading": 13.5,
            "kCLHeadingCodingKeyAccuracy": 4.0, "kCLHeadingCodingKeyX": 20.0, "kCLHeadingCodingKeyY": -5.0,
            "kCLHeadingCodingKeyZ": 40.0, "kCLHeadingCodingKeyTimestamp": 700_000_000.0,
        ]
        let back = try #require(try read(CLHeading.self, values))
        #expect(back.magneticHeading == 10 && back.trueHeading == 13.5 && back.headingAccuracy == 4)
        #expect(back.x == 20 && back.y == -5 && back.z == 40)
        #expect(back.timestamp == Date(timeIntervalSinceReferenceDate: 700_000_000))
    }

    @Test func `a visit that Apple's class archived has its place and times`() throws {
        let arrival = Date(timeIntervalSinceReferenceDate: 700_000_000)
        let values: [String: Any] = [
            "kCLVisitCodingKeyLatitude": 48.137, "kCLVisitCodingKeyLongitude": 11.576,
            "kCLVisitCodingKeyHorizontalAccuracy": 30.0, "kCLVisitCodingKeyArrivalDate": arrival,
            "kCLVisitCodingKeyDepartureDate": Date.distantFuture,
        ]
        let back = try #require(try read(CLVisit.self, values))
        #expect(back.coordinate.latitude == 48.137 && back.horizontalAccuracy == 30)
        #expect(back.arrivalDate == arrival && back.departureDate == .distantFuture)
    }

    @Test func `a circle that Apple's class archived has its place and what it notifies of`() throws {
        let values: [String: Any] = [
            "kCLRegionCodingKeyIdentifier": "home", "kCLRegionCodingKeyNotifyOnEntry": true,
            "kCLRegionCodingKeyNotifyOnExit": false, "kCLCircularRegionCodingKeyCenterLatitude": 48.137,
            "kCLCircularRegionCodingKeyCenterLongitude": 11.576, "kCLCircularRegionCodingKeyRadius": 150.0,
        ]
        let back = try #require(try read(CLCircularRegion.self, values))
        #expect(back.identifier == "home" && back.radius == 150 && back.center.longitude == 11.576)
        #expect(back.notifyOnEntry && !back.notifyOnExit)
        #expect(try read(CLRegion.self, values) == nil, "a plain region cannot hold the circle")
    }

    @Test func `a subclass that archives nothing of its superclass is nowhere`() throws {
        let back = try #require(try read(NowhereLocation.self, [:]))
        #expect(!CLLocationCoordinate2DIsValid(back.coordinate) && back.horizontalAccuracy < 0)
    }
}

/// A keyed archive of one object, written out: `NSKeyedArchiver` would name this process's class in it.
private struct AppleArchive {
    private var objects = ["<string>$null</string>", "", ""]

    init(of name: String, _ values: [String: Any]) {
        var members: [String] = []
        for (key, value) in values { members.append("<key>\(key)</key>\(element(value))") }
        objects[1] = "<dict>\(members.joined())<key>$class</key>\(Self.reference(2))</dict>"
        objects[2] = Self.description(of: name)
    }

    var bytes: Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>$version</key><integer>100000</integer>
            <key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>root</key>\(Self.reference(1))</dict>
            <key>$objects</key><array>\(objects.joined())</array></dict></plist>
            """.utf8)
    }

    private mutating func element(_ value: Any) -> String {
        switch value {
        case let number as Double: return "<real>\(number)</real>"
        case let flag as Bool: return flag ? "<true/>" : "<false/>"
        case let date as Date:
            objects.append(Self.description(of: "NSDate"))
            let time = "<key>NS.time</key><real>\(date.timeIntervalSinceReferenceDate)</real>"
            return reference(to: "<dict>\(time)<key>$class</key>\(Self.reference(objects.count - 1))</dict>")
        default: return reference(to: "<string>\(value)</string>")
        }
    }

    private mutating func reference(to object: String) -> String {
        objects.append(object)
        return Self.reference(objects.count - 1)
    }

    private static func reference(_ number: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }

    private static func description(of name: String) -> String {
        "<dict><key>$classname</key><string>\(name)</string>"
            + "<key>$classes</key><array><string>\(name)</string><string>NSObject</string></array></dict>"
    }
}
