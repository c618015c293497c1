import ClientProtocol
import ClientVocabulary
import Engine
import Monitors
import Parts
import Power
import SextantJSON
import SextantUnits
import Testing

@testable import Access

private let tracker = ClientID(rawValue: 1)
private let other = ClientID(rawValue: 2)
private let root = ClientID(rawValue: 9)

/// Two clients of one user with manifests, and an operator; the receiver's order is learned, the last epoch is of 3 s.
private func served() -> Harness {
    var harness = Harness()
    harness.give(
        .admission(
            Admission(manifests: ClientManifests([manifest("other"), manifest("tracker")]), policy: OperatorPolicy())))
    harness.give(.clientConnected(tracker, .local, identity("tracker")))
    harness.give(.clientConnected(other, .local, identity("other")))
    harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
    harness.warmUp()
    return harness
}

private func identity(_ name: String) -> PeerIdentity { PeerIdentity(userID: 1000, unit: "\(name).service") }

private func manifest(_ name: String) -> ClientManifest {
    var manifest = ClientManifest(name: name, selector: ClientSelector(unit: "\(name).service"))
    manifest.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it", temporary: ["rescue": "saves it"])
    return manifest
}

/// Every client may always know where the board is, until somebody decides otherwise.
private let anybody = OperatorPolicy.Rule(authorization: .always, accuracy: nil, isFinal: false)

extension Harness {
    fileprivate mutating func admit(_ names: String..., others rule: OperatorPolicy.Rule = .ask) {
        let manifests = ClientManifests(names.map(manifest))
        give(.admission(Admission(manifests: manifests, policy: OperatorPolicy(others: rule))))
    }

    fileprivate mutating func ask(
        _ kind: ClientRequest.Kind, id: String? = nil, session: UInt8 = 0, of client: ClientID = tracker
    ) {
        give(ClientRequest(kind, id: id, session: session), from: client)
    }

    /// An operator answers a question about a client, or sets its record.
    fileprivate mutating func decide(
        _ answer: OperatorAnswer?, accuracy isReduced: Bool? = nil, of name: String = "tracker"
    ) {
        ask(.operator(.answer(client: name, answer, reducesAccuracy: isReduced, mayBeWoken: nil)), of: root)
    }

    fileprivate mutating func watch(session: UInt8 = 0, deferral: Deferral? = nil, of client: ClientID = tracker) {
        let settings = LocationSettings(accuracy: .best, pausesAutomatically: false, deferral: deferral)
        ask(.watchLocations(settings, label: ""), session: session, of: client)
    }

    /// The board drives to minutes of latitude beyond 47 degrees, at 11 m/s with a fix every 10 s.
    ///
    /// - Returns: The events that the client is sent.
    @discardableResult
    fileprivate mutating func drive(to minutes: Double) -> [String] {
        let (start, step) = (place, minutes < place ? -0.06 : 0.06)
        return stride(from: start + step, through: minutes + step / 2, by: step).flatMap { next in
            place = next
            return fix(motion: step < 0 ? "21.6,180.0" : "21.6,0.0")
        }
    }

    /// The board stays where it is, with a fix every 10 s.
    ///
    /// - Returns: The events that the client is sent.
    @discardableResult
    fileprivate mutating func stay(seconds: Int) -> [String] {
        (0..<seconds / 10).flatMap { _ in fix(motion: "0.0,") }
    }

    private mutating func fix(motion: String) -> [String] {
        let second = Int(now.nanoseconds / 1_000_000_000) + 10
        let minutes = "\((place * 1e5).rounded() / 1e5)"
        give(bytes: Harness.epoch(second, latitude: "47\(minutes)", motion: motion), at: Double(second))
        return events()
    }

    /// The events of the lines that the last input sent to a client, in order.
    fileprivate func events(_ client: ClientID = tracker) -> [String] {
        sent(to: client.rawValue).split(separator: "\n").map { line in
            String(line.dropFirst("{\"event\":\"".count).prefix { $0 != "\"" })
        }
    }
}

@Suite("Engine and access")
struct EngineAccessTests {
    @Test func `a client that requires a part that the board lacks is refused, and operators see why`() {
        var compass = manifest("tracker")
        compass.requires = [.receiver, .magnetometer]
        var harness = served()
        harness.give(
            .admission(Admission(manifests: ClientManifests([compass, manifest("other")]), policy: OperatorPolicy())))
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), id: "w")
        let sentence = "its manifest requires what this board does not have: magnetometer; it is not served"
        #expect(
            harness.sent(to: 1)
                == "{\"event\":\"error\",\"id\":\"w\",\"code\":\"unmetRequirement\",\"message\":\"\(sentence)\"}\n")
        harness.ask(.ping)
        #expect(harness.sent(to: 1) == "{\"event\":\"pong\"}\n")
        harness.ask(.operator(.clients), of: root)
        #expect(harness.sent(to: 9).contains("\"problem\":\"\(sentence)\""))
    }

    @Test func `a program that is given a manifest while it runs is greeted again, and may ask again`() {
        var harness = served()
        harness.admit("other")
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), id: "w")
        #expect(harness.events() == ["error"])
        harness.admit("other", "tracker")
        #expect(harness.events() == ["hello"])
        #expect(harness.sent(to: 1).contains("\"client\":\"tracker\""))
        #expect(harness.events(other) == [], "the other client's manifest is as it was")
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), id: "w")
        #expect(harness.events().first == "watching")
    }

    @Test func `a service that is started while services are off has an agent asked, whose on switches them on`() {
        var harness = served()
        harness.decide(.allow)
        harness.ask(.operator(.agent(isEnabled: true)), of: root)
        harness.ask(.operator(.services(isEnabled: false)), of: root)
        harness.watch()
        #expect(
            harness.sent(to: 9)
                == "{\"event\":\"prompt\",\"client\":\"tracker\",\"kind\":\"services\",\"purpose\":\"shows it\",\"answers\":[\"on\",\"off\"]}\n"
        )
        harness.ask(.monitoring(.service(.visits, true)))
        #expect(harness.events(root) == [], "one question for all services")
        harness.decide(.on)
        #expect(harness.events(root) == ["promptWithdrawn", "answered", "authorization"])
        #expect(harness.sent(to: 1).contains("\"status\":\"authorizedWhenInUse\""))
        let stored = DurableRow(table: .settings, client: "", name: "servicesEnabled", value: [1])
        #expect(harness.deeds.contains(.store(.put(stored))))
    }

    @Test func `a client hears whether it may be started for events, when that changes`() {
        var harness = served()
        for mayBeWoken in [false, true] {
            harness.ask(
                .operator(.answer(client: "tracker", nil, reducesAccuracy: nil, mayBeWoken: mayBeWoken)), of: root)
            #expect(harness.events() == ["authorization"])
            #expect(harness.sent(to: 1).contains("\"mayBeWoken\":\(mayBeWoken)"))
        }
    }

    @Test func `a program is greeted again when its manifest's texts change, and when it has none any more`() {
        var harness = served()
        var silent = manifest("tracker")
        silent.purposes = PurposeStrings()
        func admit(_ manifests: [ClientManifest]) {
            harness.give(.admission(Admission(manifests: ClientManifests(manifests), policy: OperatorPolicy())))
        }
        admit([manifest("other"), silent])
        #expect(harness.events() == ["hello"])
        harness.ask(.authorize(always: false))
        harness.ask(.operator(.agent(isEnabled: true)), of: root)
        admit([manifest("other"), manifest("tracker")])
        #expect(harness.events() == ["hello"])
        harness.ask(.authorize(always: false, purpose: "finds the dog"))
        #expect(harness.events(root) == ["prompt"], "asked again, the request is heard")
        #expect(harness.sent(to: root.rawValue).contains(#""statedPurpose":"finds the dog""#))
        admit([manifest("other"), manifest("tracker")])
        #expect(harness.events() == [], "nothing changed")
        admit([manifest("other")])
        #expect(harness.events() == ["hello"])
        #expect(!harness.sent(to: 1).contains("\"client\""))
    }

    @Test func `while manifests cannot be read, a client's error points to sextant status and the log`() {
        var harness = served()
        var unread = Admission.nobody
        unread.isComplete = false
        harness.give(.admission(unread))
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), id: "w")
        let sentence = "no client is served, because the manifests or the policy cannot be read; see sextant status"
        #expect(
            harness.sent(to: 1)
                == "{\"event\":\"error\",\"id\":\"w\",\"code\":\"noManifest\",\"message\":\"\(sentence)\"}\n")
    }

    @Test func `RUN-11: held fixes of a client are erased at once when its manifest is removed`() {
        var harness = served()
        harness.decide(.always)
        harness.watch(deferral: Deferral(distance: nil, timeout: 600))
        for second in 4...6 { harness.give(bytes: Harness.epoch(second), at: Double(second)) }
        harness.give(.clientGone(tracker))
        harness.give(
            .admission(Admission(manifests: ClientManifests([manifest("other")]), policy: OperatorPolicy())))
        let key = DeferredKey(userID: 1000, client: "tracker", label: "", session: 0)
        #expect(harness.deeds.contains(.acknowledge(.deferred(key), through: 3)), "\(harness.deeds)")
    }

    @Test func `a manifest that is away for a while takes neither the denial nor the regions with it`() {
        var harness = served()
        harness.decide(.always)
        harness.ask(.monitoring(.service(.visits, true)))
        harness.decide(.deny, of: "other")
        harness.admit(others: anybody)
        #expect(!harness.deeds.contains { if case .store = $0 { true } else { false } }, "\(harness.deeds)")
        #expect(harness.events() == ["hello"] && !harness.sent(to: 1).contains("\"client\""))
        harness.ask(.operator(.clients), of: root)
        #expect(harness.sent(to: 9).contains("its manifest is missing"))
        #expect(harness.sent(to: 9).contains("sextant privacy erase"))
        harness.admit("other", "tracker", others: anybody)
        #expect(harness.sent(to: 1).contains("\"status\":\"authorizedAlways\""))
        #expect(harness.sent(to: 2).contains("\"status\":\"denied\""))
        harness.ask(.operator(.privacy(client: "tracker")), of: root)
        #expect(harness.sent(to: 9).contains("registrations"))
    }

    @Test func `a day after its manifest was removed all of a client is erased but what denies it something`() {
        var harness = served()
        harness.decide(.always)
        harness.decide(.deny, of: "other")
        harness.give(.admission(Admission(manifests: ClientManifests([]), policy: OperatorPolicy())))
        harness.give(.timePassed, at: 86_402)
        #expect(!harness.deeds.contains(.store(.erase(client: "tracker"))))
        harness.give(.timePassed, at: 86_404)
        let stored = harness.deeds.filter { if case .store = $0 { true } else { false } }
        #expect(stored.contains(.store(.erase(client: "tracker"))) && stored.contains(.store(.erase(client: "other"))))
        let denial = DurableRow(table: .authorization, client: "other", name: "record", value: [1, 2, 2, 16])
        #expect(
            stored.last { $0 != .store(.erase(client: "tracker")) && !"\($0)".contains("tracker") }
                == .store(.put(denial)), "\(stored)")
        harness.give(.timePassed, at: 1_000_000)
        #expect(!harness.deeds.contains { if case .store = $0 { true } else { false } }, "\(harness.deeds)")
        harness.give(
            .admission(
                Admission(
                    manifests: ClientManifests([manifest("other"), manifest("tracker")]), policy: OperatorPolicy())))
        #expect(harness.sent(to: 1).contains("\"status\":\"notDetermined\""))
        #expect(harness.sent(to: 2).contains("\"status\":\"denied\""))
    }

    @Test func `stored rows of a client without a manifest wait for it, and only an operator erases them`() {
        var harness = Harness()
        harness.admit(others: anybody)
        let denial = DurableRow(table: .authorization, client: "tracker", name: "record", value: [1, 2, 2, 16])
        harness.give(.storeFound(denial))
        harness.give(
            .storeFound(DurableRow(table: .authorization, client: "other", name: "record", value: [1, 2, 2, 0])))
        #expect(!harness.deeds.contains { if case .store = $0 { true } else { false } }, "\(harness.deeds)")
        harness.give(.storeRead)
        harness.give(.clientConnected(root, .local, PeerIdentity(userID: 0)))
        harness.ask(.operator(.erase(client: "other", .all)), of: root)
        #expect(harness.deeds.contains(.store(.erase(client: "other"))))
        harness.admit("tracker", "other", others: anybody)
        harness.give(.clientConnected(tracker, .local, identity("tracker")))
        #expect(harness.sent(to: 1).contains("\"status\":\"denied\""))
        harness.give(.clientConnected(other, .local, identity("other")))
        #expect(harness.sent(to: 2).contains("\"status\":\"authorizedAlways\""))
    }

    @Test func `after an erasure the client is told to forget until it acknowledges that, over a restart too`() throws {
        var harness = served()
        harness.decide(.always)
        harness.ask(.operator(.erase(client: "tracker", .all)), of: root)
        #expect(harness.sent(to: 1).contains(#"{"event":"forget","number":1}"#))
        let rows = harness.deeds.compactMap { deed -> DurableRow? in
            if case .store(.put(let row)) = deed, row.table == .settings { row } else { nil }
        }
        var again = Harness()
        again.give(
            .admission(Admission(manifests: ClientManifests([manifest("tracker")]), policy: OperatorPolicy())))
        for row in rows { again.give(.storeFound(row)) }
        again.give(.storeRead)
        again.give(.clientConnected(tracker, .local, identity("tracker")))
        #expect(again.sent(to: 1).contains(#"{"event":"forget","number":1}"#))
        again.ask(.acknowledge(number: 1), of: tracker)
        #expect(again.deeds.contains(.store(.remove(.settings, client: "tracker", name: "erasure"))))
        again.give(.clientConnected(other, .local, identity("tracker")))
        #expect(!again.sent(to: 2).contains("forget"))
    }

    @Test func `AUTH-16: a denied client is told so, and does not get its held fixes`() {
        var harness = served()
        harness.decide(.allow)
        harness.watch(deferral: Deferral(distance: nil, timeout: 600))
        for second in 4...6 { harness.give(bytes: Harness.epoch(second), at: Double(second)) }
        harness.decide(.deny)
        #expect(harness.events() == ["authorization", "deferredFinished", "failed"])
        harness.give(bytes: Harness.epoch(7), at: 7)
        #expect(harness.events() == [])
    }

    @Test func `AUTH-16: only the session that asks for a position while denied is told of the failure`() {
        var harness = served()
        harness.decide(.allow)
        harness.watch(session: 1)
        harness.decide(.deny)
        #expect(harness.events() == ["authorization", "failed"])
        harness.ask(.locateOnce(.best), session: 2)
        #expect(harness.sent(to: 1) == "{\"event\":\"failed\",\"session\":2,\"errorCode\":1}\n")
    }

    @Test func `AUTH-16: events wait while the client may not be told of them`() {
        var harness = served()
        harness.decide(.always)
        harness.give(.clientGone(tracker))
        harness.give(.clientConnected(tracker, .local, identity("tracker")))
        harness.ask(.monitoring(.service(.visits, true)))
        harness.give(.clientGone(tracker))
        harness.drive(to: 23.2)
        harness.stay(seconds: 400)
        harness.decide(.deny)
        harness.give(.clientConnected(tracker, .local, identity("tracker")))
        harness.ask(.monitoring(.service(.visits, true)))
        #expect(harness.events() == [])
        harness.decide(.always)
        #expect(harness.events() == ["authorization", "visit"])
    }

    @Test func `SLC-05: a connection that asks twice for significant changes is told where it is once`() {
        var harness = served()
        harness.decide(.always)
        harness.ask(.monitoring(.service(.significantChange, true)))
        #expect(harness.events() == ["location"])
        harness.ask(.acknowledge(number: 1))
        harness.ask(.monitoring(.service(.significantChange, true)))
        #expect(harness.events() == [])
        harness.ask(.monitoring(.service(.significantChange, false)))
        harness.ask(.monitoring(.service(.significantChange, true)))
        #expect(harness.events() == ["location"])
    }

    @Test func `RED-04: a waiting visit is reported with the accuracy allowed when it is delivered`() {
        var harness = served()
        harness.decide(.always)
        harness.ask(.monitoring(.service(.visits, true)))
        harness.give(.clientGone(tracker))
        harness.drive(to: 23.2)
        harness.stay(seconds: 400)
        harness.decide(nil, accuracy: true)
        harness.give(.clientConnected(tracker, .local, identity("tracker")))
        harness.ask(.monitoring(.service(.visits, true)))
        #expect(harness.events() == ["visit"])
        #expect(harness.sent(to: 1).contains("\"horizontalAccuracy\":5000.000"))
        #expect(!harness.sent(to: 1).contains("47.38"))
    }

    @Test func `RED-04: under reduced accuracy a region's state and crossings are not reported`() {
        var harness = served()
        harness.decide(.always)
        let region = RegionRequest(identifier: "home", .circle(latitude: 47.37, longitude: 8.5417, radius: 100))
        harness.ask(.monitoring(.region(region)))
        harness.stay(seconds: 30)
        #expect(harness.drive(to: 22.2) + harness.stay(seconds: 30) == ["regionEvent"])
        harness.ask(.monitoring(.list))
        #expect(harness.sent(to: 1).contains("\"state\":\"inside\""))
        harness.decide(nil, accuracy: true)
        harness.ask(.monitoring(.list))
        #expect(harness.sent(to: 1).contains("\"state\":\"unknown\""))
        harness.give(.clientGone(tracker))
        harness.give(.clientConnected(tracker, .local, identity("tracker")))
        harness.ask(.monitoring(.region(region)))
        #expect(harness.events() == ["monitoring"])
        harness.decide(nil, accuracy: false)
        #expect(harness.events() == ["authorization", "regionEvent"])
    }

    @Test func `RED-04: under reduced accuracy a client is not told when the receiver runs, nor what it has received`()
    {
        var harness = served()
        harness.decide(.allow)
        harness.ask(.status)
        #expect(harness.sent(to: 1).contains("\"secondsSinceEpoch\"") && harness.sent(to: 1).contains("\"epochs\""))
        harness.decide(nil, accuracy: true)
        harness.ask(.status)
        let status = harness.sent(to: 1)
        #expect(status.contains("\"state\":\"open\"") && status.contains("\"device\""))
        for word in ["epoch", "bytes", "sentences", "time", "power"] { #expect(!status.contains(word), "\(status)") }
        harness.ask(.energy)
        #expect(harness.sent(to: 1).contains("\"code\":\"denied\""))
        harness.ask(.status, of: root)
        #expect(harness.sent(to: 9).contains("\"secondsSinceEpoch\""))
    }

    @Test func `BG-05: in the background a session that did not ask to go on stops, beside one that did`() {
        var harness = served()
        var continuing = manifest("tracker")
        continuing.backgroundMode = true
        harness.give(.admission(Admission(manifests: ClientManifests([continuing]), policy: OperatorPolicy())))
        harness.decide(.allow)
        let settings = LocationSettings(accuracy: .best, pausesAutomatically: false)
        for session in [UInt8(1), 2] {
            let options = WatchOptions(inBackground: session == 1)
            harness.ask(.watchLocations(settings, options, label: ""), session: session)
        }
        #expect(harness.stay(seconds: 20) == Array(repeating: "location", count: 4))
        harness.ask(.state(isForeground: false))
        harness.stay(seconds: 10)
        #expect(harness.stay(seconds: 20) == ["location", "location"])
        #expect(harness.sent(to: 1).contains("\"session\":1") && !harness.sent(to: 1).contains("\"session\":2"))
    }

    @Test func `a session that wants reduced accuracy gets the coarse cell alone, beside one that gets every fix`() {
        var harness = served()
        harness.decide(.allow)
        harness.ask(.watchLocations(LocationSettings(accuracy: .reduced), label: ""), session: 1)
        harness.watch(session: 2)
        var coarse: [Substring] = []
        var exact = 0
        for _ in 0..<180 {
            harness.drive(to: harness.place + 0.06)
            for line in harness.sent(to: 1).split(separator: "\n") where line.contains("\"event\":\"location\"") {
                if line.contains("\"session\":1") { coarse.append(line) } else { exact += 1 }
            }
        }
        #expect(exact == 180 && (2...3).contains(coarse.count), "an estimate every 15 minutes")
        #expect(coarse.allSatisfy { !$0.contains("\"velocity\"") && !$0.contains("\"altitude\"") })
        harness.ask(.locateOnce(.reduced), id: "one", session: 3)
        let answer = harness.sent(to: 1)
        func place(_ line: some StringProtocol) -> Substring? {
            line.firstRange(of: "\"latitude\"").map { Substring(line[$0.lowerBound...]).prefix { $0 != "h" } }
        }
        #expect(answer.contains("\"id\":\"one\"") && coarse.last.flatMap(place) == place(answer))
        harness.ask(.change(LocationSettings(accuracy: .best), WatchOptions()), session: 1)
        #expect(harness.drive(to: harness.place + 0.06) == ["location", "location"], "both get the fix now")
    }

    @Test func `RED-07: the change of a granted request is reported before its answer`() {
        var harness = served()
        harness.decide(.allow, accuracy: true)
        harness.ask(.authorizeFullAccuracy(purposeKey: "rescue"), id: "f")
        #expect(harness.events() == [])
        harness.decide(.allow)
        #expect(harness.events() == ["authorization", "fullAccuracy"])
        #expect(harness.sent(to: 1).contains("\"accuracyAuthorization\":\"full\""))
        #expect(harness.sent(to: 1).hasSuffix("{\"event\":\"fullAccuracy\",\"id\":\"f\"}\n"))
    }

    @Test func `AUTH-17: with the master switch off every client is denied`() {
        var harness = served()
        harness.give(.clientConnected(ClientID(rawValue: 3), .local, PeerIdentity(userID: 1001)))
        harness.ask(.operator(.services(isEnabled: false)), of: root)
        for client in [1, 2, 3] as [UInt32] {
            #expect(harness.sent(to: client).contains("\"status\":\"denied\""))
            #expect(harness.sent(to: client).contains("\"servicesEnabled\":false"))
        }
    }

    @Test func `AUTH-21: held fixes of one client are not sent to another client of the same user`() {
        var harness = served()
        harness.decide(.always)
        harness.decide(.always, of: "other")
        harness.watch(deferral: Deferral(distance: nil, timeout: 600))
        harness.watch(deferral: Deferral(distance: nil, timeout: 600), of: other)
        #expect(harness.events(other) == ["watching", "location"])
        harness.give(bytes: Harness.epoch(4), at: 4)
        harness.give(.clientGone(tracker))
        harness.ask(.unwatch, of: other)
        #expect(harness.events(other) == ["deferredFinished", "location", "watching"])
        harness.watch(of: other)
        #expect(harness.events(other) == ["watching", "location"])
    }
}
