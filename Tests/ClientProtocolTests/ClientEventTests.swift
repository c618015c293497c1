import ClientProtocol
import ClientVocabulary
import GNSS
import SextantUnits
import Testing

@Suite("Client events")
struct ClientEventTests {
    @Test func `a location object has the members of an epoch object, and its age`() {
        var fix = Fix()
        fix.type = .twoD
        fix.quality = .autonomous
        fix.time = UTCInstant(nanoseconds: 1_795_176_000_000_000_000)
        fix.latitude = 47.25
        fix.longitude = -8.5
        fix.horizontalAccuracy = 12
        #expect(
            text { LocationObject.append(fix, age: 1.25, .init(id: "a"), to: &$0) } == """
                {"event":"location","id":"a","time":"2026-11-20T12:00:00.000Z","timeValidated":false,\
                "fixType":"twoD","quality":"autonomous","latitude":47.250000000,"longitude":-8.500000000,\
                "horizontalAccuracy":12.000,"age":1.250}

                """)
        #expect(!text { LocationObject.append(fix, age: nil, to: &$0) }.contains("age"))
    }

    @Test func `a fused location has the ellipse of its errors, and one with reduced accuracy has none`() {
        var fix = Fix()
        fix.type = .twoD
        (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (47.25, -8.5, 12)
        fix.ellipse = ErrorEllipse(semiMajor: 14.5, semiMinor: 9.25, orientation: 33.36)
        let ellipse = "\"ellipse\":{\"semiMajor\":14.500,\"semiMinor\":9.250,\"orientation\":33.4}"
        #expect(text { LocationObject.append(fix, age: 0, to: &$0) }.contains(ellipse))
        fix.withdrawPosition()
        #expect(!text { LocationObject.append(fix, age: 0, to: &$0) }.contains("ellipse"))
        let place = LocationObject.ReducedPlace(time: nil, latitude: 47, longitude: 8, horizontalAccuracy: 5000)
        #expect(!text { LocationObject.append(reduced: place, age: 0, to: &$0) }.contains("ellipse"))
    }

    @Test func `LOC-01: a course that may be wrong by half a turn is left out, and due north is not`() {
        var fix = Fix()
        (fix.speed, fix.courseOverGround, fix.courseAccuracy) = (0, 123, 180)
        #expect(!text { LocationObject.append(fix, age: nil, to: &$0) }.contains("course"))
        (fix.speed, fix.courseOverGround, fix.courseAccuracy) = (5, 0, 1.5)
        #expect(text { LocationObject.append(fix, age: nil, to: &$0) }.contains("\"course\":0.000,"))
    }

    @Test func `a pause and the end of a deferral state their reason`() {
        #expect(
            text { ClientEvent.appendPaused(reason: .still, to: &$0) }
                == "{\"event\":\"paused\",\"reason\":\"still\"}\n")
        #expect(
            text { ClientEvent.appendResumed(reason: .motion, to: &$0) }
                == "{\"event\":\"resumed\",\"reason\":\"motion\"}\n")
        #expect(
            text { ClientEvent.appendDeferredFinished(.distance, id: "d", to: &$0) }
                == "{\"event\":\"deferredFinished\",\"id\":\"d\",\"reason\":\"distance\"}\n")
        #expect(
            text {
                ClientEvent.appendDeferredFinished(.canceled, id: nil, to: &$0)
            }
                == "{\"event\":\"deferredFinished\",\"reason\":\"canceled\",\"errorCode\":15}\n")
        #expect(
            text { ClientEvent.appendFlushed(locations: 3, id: "f", to: &$0) }
                == "{\"event\":\"flushed\",\"id\":\"f\",\"locations\":3}\n")
    }
}
