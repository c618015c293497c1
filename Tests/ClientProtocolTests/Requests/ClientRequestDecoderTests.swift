import ClientProtocol
import ClientVocabulary
import Power
import Testing

@Suite("Client request decoder")
struct ClientRequestDecoderTests {
    private func decode(_ line: String) -> Result<ClientRequest, RefusedRequest> {
        ClientRequestDecoder.decode(Array(line.utf8))
    }

    @Test func `an energy request has no member but its id`() {
        #expect(decode(#"{"request":"energy"}"#) == .success(ClientRequest(.energy)))
        #expect(decode(#"{"request":"energy","id":"e"}"#) == .success(ClientRequest(.energy, id: "e")))
        #expect(
            decode(#"{"request":"energy","id":"e","window":"lastDay"}"#)
                == .failure(RefusedRequest(.unknownKey("window"), id: "e")))
    }

    @Test func `an unknown request is refused with the list of requests`() {
        guard case .failure(let refused) = decode(#"{"request":"power"}"#) else {
            Issue.record("it was taken for one")
            return
        }
        #expect(
            refused.problem.message
                == "\"power\" is not a request; some requests are watch, unwatch, locate and status")
    }

    @Test(arguments: RequestName.allCases) func `every request that the vocabulary names is decoded`(
        _ name: RequestName
    ) {
        guard case .failure(let refused) = decode("{\"request\":\"\(name.rawValue)\"}") else { return }
        #expect(refused.problem != .unknownRequest(name.rawValue), "a required member may be missing, but no more")
    }

    private func kind(_ line: String) throws -> ClientRequest.Kind {
        try ClientRequestDecoder.decode(Array(line.utf8)).get().kind
    }

    private func problem(_ line: String) -> ClientRequestError? {
        if case .failure(let refused) = ClientRequestDecoder.decode(Array(line.utf8)) { return refused.problem }
        return nil
    }

    @Test func `a watch request without further members asks for epochs`() throws {
        #expect(try kind(#"{"request":"watch"}"#) == .watch(satellites: false))
        #expect(try kind(#"{"request":"watch","satellites":true}"#) == .watch(satellites: true))
    }

    @Test func `a watch request with a location member asks for locations, at best accuracy by default`() throws {
        let best = LocationSettings(accuracy: .best)
        #expect(try kind(#"{"request":"watch","label":"x"}"#) == .watchLocations(best, label: "x"))
        #expect(try kind(#"{"request":"watch","accuracy":"best"}"#) == .watchLocations(best, label: ""))
        #expect(
            try kind(#"{"request":"watch","accuracy":"bestForNavigation"}"#)
                == .watchLocations(LocationSettings(accuracy: .bestForNavigation), label: ""))
        #expect(
            try kind(#"{"request":"locateOnce","accuracy":"reduced"}"#) == .locateOnce(.reduced))
    }

    @Test func `a passive watch is for locations, or for epochs where it says whether satellites are wanted`() throws {
        let plain = LocationSettings(accuracy: .best, pausesAutomatically: false)
        let seldom = LocationSettings(accuracy: .best, minimumInterval: 10, pausesAutomatically: false)
        let passive = WatchOptions(isPassive: true)
        #expect(try kind(#"{"request":"watch","passive":true}"#) == .watchLocations(plain, passive, label: ""))
        #expect(
            try kind(#"{"request":"watch","passive":true,"interval":10}"#)
                == .watchLocations(seldom, passive, label: ""))
        #expect(
            try kind(#"{"request":"watch","passive":true,"satellites":true,"interval":2}"#)
                == .watchPassively(satellites: true, minimumInterval: 2))
        #expect(
            try kind(#"{"request":"watch","passive":true,"satellites":false}"#) == .watchPassively(satellites: false))
        #expect(try kind(#"{"request":"watch","passive":false}"#) == .watch(satellites: false))
    }

    @Test func `a passive watch has no wishes, and only a passive watch has an interval`() {
        #expect(problem(#"{"request":"watch","passive":true,"accuracy":10}"#) == .unknownKey("accuracy"))
        #expect(problem(#"{"request":"watch","passive":true,"deferral":{}}"#) == .unknownKey("deferral"))
        #expect(problem(#"{"request":"watch","interval":10}"#) == .unknownKey("interval"))
        #expect(
            problem(#"{"request":"watch","passive":1}"#) == .badValue(key: "passive", expected: "true or false"))
    }

    @Test func `an operator asks for all regions, or for those behind the first ones, or for no more of them`() throws {
        #expect(try kind(#"{"request":"regions"}"#) == .operator(.regions(isEnabled: true, offset: 0)))
        #expect(try kind(#"{"request":"regions","offset":256}"#) == .operator(.regions(isEnabled: true, offset: 256)))
        #expect(
            try kind(#"{"request":"regions","enabled":false}"#) == .operator(.regions(isEnabled: false, offset: 0)))
        #expect(
            problem(#"{"request":"regions","offset":-1}"#)
                == .badValue(key: "offset", expected: "an integer from 0 to 2147483648"))
    }

    @Test func `the energy's history is of an hour or of a day`() throws {
        #expect(try kind(#"{"request":"energyHistory"}"#) == .energyHistory(.hour))
        #expect(try kind(#"{"request":"energyHistory","window":"day"}"#) == .energyHistory(.day))
        #expect(
            problem(#"{"request":"energyHistory","window":"week"}"#)
                == .badValue(key: "window", expected: "one of \"hour\", \"day\""))
    }

    @Test func `the status is watched, and no longer`() throws {
        #expect(try kind(#"{"request":"watchStatus"}"#) == .watchStatus(isEnabled: true))
        #expect(try kind(#"{"request":"watchStatus","enabled":false}"#) == .watchStatus(isEnabled: false))
    }

    @Test func `every member of a watch request is read`() throws {
        let line = """
            {"request":"watch","accuracy":100,"distanceFilter":50,"minimumInterval":5,"activityType":"fitness",\
            "pausesAutomatically":false,"deferral":{"distance":1000,"timeout":300},"label":"track"}
            """
        let settings = LocationSettings(
            accuracy: .metres(100), distanceFilter: 50, minimumInterval: 5, activity: .fitness,
            pausesAutomatically: false, deferral: Deferral(distance: 1000, timeout: 300))
        #expect(try kind(line) == .watchLocations(settings, label: "track"))
    }

    @Test func `a deferral may leave out either of its bounds, or both`() throws {
        let endless = LocationSettings(accuracy: .best, deferral: Deferral(distance: nil, timeout: nil))
        #expect(try kind(#"{"request":"watch","deferral":{}}"#) == .watchLocations(endless, label: ""))
    }

    @Test func `a locate request may state an accuracy`() throws {
        #expect(try kind(#"{"request":"locate"}"#) == .locate(timeoutSeconds: 60))
        #expect(
            try kind(#"{"request":"locate","accuracy":25,"timeout":10}"#) == .locate(timeoutSeconds: 10, accuracy: 25))
        #expect(try kind(#"{"request":"flush"}"#) == .flush)
    }

    @Test(arguments: [
        (
            #"{"request":"watch","accuracy":-1}"#, "accuracy",
            "metres from 1 to 100000, \"best\", \"bestForNavigation\" or \"reduced\""
        ),
        (
            #"{"request":"watch","accuracy":"good"}"#, "accuracy",
            "metres from 1 to 100000, \"best\", \"bestForNavigation\" or \"reduced\""
        ),
        (
            #"{"request":"watch","accuracy":null}"#, "accuracy",
            "metres from 1 to 100000, \"best\", \"bestForNavigation\" or \"reduced\""
        ),
        (#"{"request":"watch","distanceFilter":-5}"#, "distanceFilter", "metres from 0 to 40000000"),
        (#"{"request":"watch","minimumInterval":"1"}"#, "minimumInterval", "seconds from 0 to 31536000"),
        (
            #"{"request":"watch","activityType":"swimming"}"#, "activityType",
            "one of \"other\", \"automotiveNavigation\", \"fitness\", \"otherNavigation\", \"airborne\""
        ),
        (#"{"request":"watch","pausesAutomatically":0}"#, "pausesAutomatically", "true or false"),
        (
            #"{"request":"watch","deferral":true}"#, "deferral",
            "an object with \"distance\" and \"timeout\", or one of them"
        ),
        (
            #"{"request":"watch","deferral":{"distance":"far"}}"#, "deferral.distance", "metres from 0 to 40000000"
        ),
        (#"{"request":"watch","label":7}"#, "label", "a string of at most 64 bytes"),
        (#"{"request":"locate","accuracy":"best"}"#, "accuracy", "metres from 1 to 100000"),
        (#"{"request":"locate","timeout":0}"#, "timeout", "seconds from 0.1 to 86400"),
    ])
    func `a wrong value is refused with its key and the expected value`(line: String, key: String, expected: String) {
        #expect(problem(line) == .badValue(key: key, expected: expected))
    }

    @Test(arguments: [
        (#"{"request":"watch","acuracy":10}"#, "acuracy"),
        (#"{"request":"watch","accuracy":10,"satellites":true}"#, "satellites"),
        (#"{"request":"watch","deferral":{"metres":10}}"#, "deferral.metres"),
        (#"{"request":"flush","label":"x"}"#, "label"),
    ])
    func `an unknown member is refused by name`(line: String, key: String) {
        #expect(problem(line) == .unknownKey(key))
    }
}
