import ClientProtocol
import ClientVocabulary
import Monitors
import Power
import Testing

/// What sessions, those who monitor and operators ask.
@Suite("Decoder of the requests of sessions and operators")
struct SessionRequestDecoderTests {
    @Test(
        arguments: [
            (#""undefer""#, .undefer), (#""unwatch""#, .unwatch), (#""release""#, .release), (#""flush""#, .flush),
            (#""locateOnce""#, .locateOnce(.best)), (#""locateOnce","accuracy":100"#, .locateOnce(.metres(100))),
            (#""defer""#, .defer(Deferral(distance: nil, timeout: nil), onlyInBackground: false)),
            (
                #""defer","distance":1000,"timeout":300,"hold":"inBackground""#,
                .defer(Deferral(distance: 1000, timeout: 300), onlyInBackground: true)
            ),
            (
                #""defer","distance":1000,"latitude":47.5,"longitude":-8"#,
                .defer(
                    Deferral(distance: 1000, timeout: nil, from: Deferral.Place(latitude: 47.5, longitude: -8)),
                    onlyInBackground: false)
            ),
            (#""change","accuracy":10"#, .change(LocationSettings(accuracy: .metres(10)), WatchOptions())),
            (
                #""watch","live":true,"background":true,"indicator":true"#,
                .watchLocations(
                    LocationSettings(accuracy: .best),
                    WatchOptions(isLive: true, inBackground: true, showsIndicator: true), label: "")
            ),
            (#""authorize","authorization":"whenInUse""#, .authorize(always: false)),
            (#""authorize","authorization":"always""#, .authorize(always: true)),
            (
                #""authorize","authorization":"always","purpose":"finds the dog""#,
                .authorize(always: true, purpose: "finds the dog")
            ),
            (#""authorizeFullAccuracy","purposeKey":"rescue""#, .authorizeFullAccuracy(purposeKey: "rescue")),
            (#""authorizeFullAccuracy""#, .authorizeFullAccuracy(purposeKey: "")),
        ] as [(String, ClientRequest.Kind)])
    func `a session request carries its session, 0 by default`(members: String, kind: ClientRequest.Kind)
        throws
    {
        #expect(try request(members) == ClientRequest(kind))
        #expect(try request(members + #","session":63,"id":"i""#) == ClientRequest(kind, id: "i", session: 63))
        #expect(
            problem(members + #","session":64"#) == .badValue(key: "session", expected: "an integer from 0 to 63"))
    }

    @Test(
        arguments: [
            (#""state","state":"foreground""#, .state(isForeground: true)),
            (#""state","state":"background""#, .state(isForeground: false)),
            (#""holdSession","number":0"#, .holdSession(number: 0, SessionGoal())),
            (
                #""holdSession","number":4294967295,"kind":"backgroundActivity","authorization":"always","implicit":true"#,
                .holdSession(
                    number: .max, SessionGoal(kind: .backgroundActivity, authorization: .always, isImplicit: true))
            ),
            (
                #""holdSession","number":7,"kind":"service","authorization":"whenInUse","fullAccuracyPurposeKey":"k""#,
                .holdSession(number: 7, SessionGoal(authorization: .whenInUse, fullAccuracyPurposeKey: "k"))
            ),
            (#""releaseSession","number":7"#, .releaseSession(number: 7)),
            (#""monitorSignificantChange","enabled":true"#, .monitoring(.service(.significantChange, true))),
            (#""monitor","service":"visits","enabled":true"#, .monitoring(.service(.visits, true))),
            (#""monitorVisits","enabled":false"#, .monitoring(.service(.visits, false))),
            (
                #""monitorRegion","identifier":"a","latitude":-90,"longitude":180,"radius":0"#,
                .monitoring(
                    .region(RegionRequest(identifier: "a", .circle(latitude: -90, longitude: 180, radius: 0))))
            ),
            (
                #""monitorRegion","identifier":"a","latitude":1,"longitude":2,"radius":3,"notifyOnEntry":false,"#
                    + #""notifyOnExit":false,"cushion":4,"monitor":"m","assumed":"unsatisfied""#,
                .monitoring(
                    .region(
                        RegionRequest(
                            identifier: "a", .circle(latitude: 1, longitude: 2, radius: 3), notifyOnEntry: false,
                            notifyOnExit: false, cushion: 4, monitor: "m", assumed: false)))
            ),
            (#""unmonitorRegion","identifier":"a""#, .monitoring(.endRegion(identifier: "a", monitor: nil))),
            (
                #""unmonitorRegion","identifier":"a","monitor":"m""#,
                .monitoring(.endRegion(identifier: "a", monitor: "m"))
            ),
            (#""regionState","identifier":"a""#, .regionState(identifier: "a", nil)),
            (
                #""regionState","identifier":"a","latitude":1,"longitude":2,"radius":3"#,
                .regionState(
                    identifier: "a", RegionRequest(identifier: "a", .circle(latitude: 1, longitude: 2, radius: 3)))
            ),
            (#""registrations""#, .monitoring(.list)), (#""ping""#, .ping),
            (#""acknowledge","number":9007199254740992"#, .acknowledge(number: 1 << 53)),
            (#""extendWake""#, .extendWake(seconds: 1)), (#""extendWake","seconds":30"#, .extendWake(seconds: 30)),
            (#""clients""#, .operator(.clients)),
            (#""answer","client":"a""#, .operator(.answer(client: "a", nil, reducesAccuracy: nil, mayBeWoken: nil))),
            (
                #""answer","client":"a","answer":"once","accuracy":"reduced","wake":false"#,
                .operator(.answer(client: "a", .once, reducesAccuracy: true, mayBeWoken: false))
            ),
            (#""services""#, .operator(.services(isEnabled: nil))),
            (#""services","enabled":false"#, .operator(.services(isEnabled: false))),
            (#""agent""#, .operator(.agent(isEnabled: true))),
            (#""agent","enabled":false"#, .operator(.agent(isEnabled: false))),
            (#""privacy""#, .operator(.privacy(client: nil))),
            (#""privacy","client":"a""#, .operator(.privacy(client: "a"))),
            (#""erase","client":"a""#, .operator(.erase(client: "a", .all))),
            (#""erase","client":"a","what":"events""#, .operator(.erase(client: "a", .events))),
        ] as [(String, ClientRequest.Kind)])
    func `a request outside any session is read, and must not name a session`(members: String, kind: ClientRequest.Kind)
        throws
    {
        #expect(try request(members) == ClientRequest(kind))
        #expect(problem(members + #","session":1"#) == .unknownKey("session"))
    }

    @Test(arguments: [
        (#""state""#, "state"), (#""authorize""#, "authorization"), (#""holdSession""#, "number"),
        (#""releaseSession""#, "number"), (#""monitorSignificantChange""#, "enabled"), (#""monitorVisits""#, "enabled"),
        (#""monitor","enabled":true"#, "service"), (#""monitor","service":"visits""#, "enabled"),
        (#""monitorRegion""#, "identifier"), (#""monitorRegion","identifier":"a""#, "latitude"),
        (#""monitorRegion","identifier":"a","latitude":1"#, "longitude"),
        (#""monitorRegion","identifier":"a","latitude":1,"longitude":2"#, "radius"),
        (#""unmonitorRegion""#, "identifier"), (#""regionState""#, "identifier"),
        (#""regionState","identifier":"a","latitude":1"#, "longitude"), (#""acknowledge""#, "number"),
        (#""answer","answer":"allow""#, "client"), (#""erase""#, "client"),
    ])
    func `a missing member is refused by name`(members: String, key: String) {
        #expect(problem(members) == .missing(key: key))
    }

    private static let text = "a string of at most 256 bytes"
    private static let services =
        "one of " + MonitoredService.switched.map { "\"\($0.name)\"" }.joined(separator: ", ")

    @Test(arguments: [
        (#""state","state":true"#, "state", #"one of "foreground", "background""#),
        (#""authorize","authorization":"forever""#, "authorization", #"one of "whenInUse", "always""#),
        (
            #""authorize","authorization":"always","purpose":"a\u001b[2J""#, "purpose",
            "a string without line breaks and other control characters"
        ),
        (#""authorizeFullAccuracy","purposeKey":3"#, "purposeKey", text),
        (#""defer","hold":"never""#, "hold", #"one of "always", "inBackground""#),
        (#""defer","distance":-1"#, "distance", "metres from 0 to 40000000"),
        (#""change","background":"yes""#, "background", "true or false"),
        (#""watch","live":1"#, "live", "true or false"),
        (#""watch","session":"0""#, "session", "an integer from 0 to 63"),
        (#""watch","session":-1"#, "session", "an integer from 0 to 63"),
        (#""watch","session":1.5"#, "session", "an integer from 0 to 63"),
        (#""watch","session":1e300"#, "session", "an integer from 0 to 63"),
        (#""holdSession","number":4294967296"#, "number", "an integer from 0 to 4294967295"),
        (#""holdSession","number":-1"#, "number", "an integer from 0 to 4294967295"),
        (#""holdSession","number":1,"kind":"lease""#, "kind", #"one of "service", "backgroundActivity""#),
        (
            #""holdSession","number":1,"authorization":2"#, "authorization",
            #"one of "none", "whenInUse", "always""#
        ),
        (#""holdSession","number":1,"implicit":"true""#, "implicit", "true or false"),
        (#""monitorVisits","enabled":1"#, "enabled", "true or false"),
        (#""monitor","service":"regions","enabled":true"#, "service", Self.services),
        (#""monitorRegion","identifier":7"#, "identifier", text),
        (#""monitorRegion","identifier":"a","latitude":90.1"#, "latitude", "degrees from -90 to 90"),
        (#""monitorRegion","identifier":"a","latitude":1,"longitude":-181"#, "longitude", "degrees from -180 to 180"),
        (
            #""monitorRegion","identifier":"a","latitude":1,"longitude":2,"radius":-1"#, "radius",
            "metres from 0 to 40000000"
        ),
        (#""unmonitorRegion","identifier":"a","monitor":{}"#, "monitor", text),
        (#""acknowledge","number":0"#, "number", "an integer from 1 to 9007199254740992"),
        (#""acknowledge","number":9007199254740994"#, "number", "an integer from 1 to 9007199254740992"),
        (#""extendWake","seconds":31"#, "seconds", "seconds from 1 to 30"),
        (#""answer","client":["a"]"#, "client", text),
        (
            #""answer","client":"a","answer":"perhaps""#, "answer",
            #"one of "allow", "once", "keep", "deny", "always", "on", "off", "reset""#
        ),
        (#""answer","client":"a","accuracy":5"#, "accuracy", #"one of "full", "reduced""#),
        (#""answer","client":"a","wake":null"#, "wake", "true or false"),
        (#""services","enabled":"off""#, "enabled", "true or false"),
        (#""privacy","client":0"#, "client", text),
        (
            #""erase","client":"a","what":"everything""#, "what",
            #"one of "all", "authorization", "registrations", "events", "track""#
        ),
    ])
    func `a wrong value is refused with its key and the expected value`(members: String, key: String, expected: String)
    {
        #expect(problem(members) == .badValue(key: key, expected: expected))
    }

    @Test(arguments: [
        "watch", "unwatch", "flush", "locate", "locateOnce", "release", "status", "energy", "ping", "registrations",
        "clients", "services", "agent", "extendWake", "defer", "undefer", "change",
    ])
    func `AUTH-22: no request lets a client state its own identity`(name: String) {
        for claim in ["unit", "user", "executable", "identity", "pid"] {
            #expect(problem("\"\(name)\",\"\(claim)\":\"tracker\"") == .unknownKey(claim))
        }
    }

    @Test func `an identifier has at most 256 bytes`() {
        let members = { #""unmonitorRegion","identifier":"\#(String(repeating: "é", count: $0))""# }
        #expect(problem(members(128)) == nil)
        #expect(problem(members(129)) == .badValue(key: "identifier", expected: Self.text))
    }

    @Test func `one monitorRegion request cannot hold several regions`() {
        let one = #"{"identifier":"a","latitude":1,"longitude":2,"radius":3}"#
        #expect(problem(#""monitorRegion","regions":[\#(one),\#(one)]"#) == .missing(key: "identifier"))
        #expect(
            problem(#""monitorRegion","identifier":"a","latitude":1,"longitude":2,"radius":3,"regions":[\#(one)]"#)
                == .unknownKey("regions"))
    }
}
