import ClientVocabulary
import SextantUnits

/// Everything that a client may ask of the daemon's protocol and of gpsd's, with numbers drawn at random.
enum AdversaryRequests {
    static func random(_ chance: inout SplitMix64) -> String {
        let session = Int.random(in: 1...4, using: &chance)
        let latitude = 47.0 + chance.nextUnit() * 0.2
        let circle =
            "\"latitude\":\(latitude),\"longitude\":8.5417,\"radius\":\(Int.random(in: 10...3000, using: &chance))"
        let name = "r\(Int.random(in: 0...9, using: &chance))"
        let monitor = Bool.random(using: &chance) ? ",\"monitor\":\"m\"" : ""
        let accuracy =
            ["\"best\"", "\"bestForNavigation\"", "1", "100", "3000", "\"reduced\""].randomElement(using: &chance)
            ?? "1"
        let isOn = Bool.random(using: &chance)
        let all = [
            #""watch","session":\#(session),"accuracy":\#(accuracy),"distanceFilter":1,"activityType":"fitness""#,
            #""change","session":\#(session),"accuracy":\#(accuracy)"#, #""watch","satellites":true"#,
            #""watch","session":\#(session),"accuracy":\#(accuracy),"live":true"#, #""unwatch","session":\#(session)"#,
            #""locateOnce","session":\#(session),"accuracy":\#(accuracy)"#, #""locate","timeout":30,"accuracy":5"#,
            #""defer","session":\#(session),"distance":100"#, #""undefer","session":\#(session)"#, #""flush""#,
            #""release","session":\#(session)"#, #""state","state":"\#(isOn ? "foreground" : "background")""#,
            #""authorize","authorization":"always""#,
            #""holdSession","number":1,"kind":"service","authorization":"always""#,
            #""releaseSession","number":1"#, #""monitorSignificantChange","enabled":\#(isOn)"#,
            #""monitorVisits","enabled":\#(isOn)"#, #""monitorVisits","enabled":true"#,
            #""monitorRegion","identifier":"\#(name)",\#(circle)\#(monitor)"#,
            #""unmonitorRegion","identifier":"\#(name)"\#(monitor)"#,
            #""regionState","identifier":"\#(name)",\#(circle)"#,
            #""regionState","identifier":"\#(name)""#, #""registrations""#, #""status""#, #""energy""#, #""ping""#,
            #""acknowledge","number":\#(Int.random(in: 1...2000, using: &chance))"#, #""extendWake","seconds":20"#,
            #""track""#, #""visits""#, #""clients""#, #""watchHeading","session":\#(session)"#,
            #""watch","session":1,"accuracy":"best""#, #""watch","passive":true,"satellites":true,"interval":1"#,
            #""watch","session":\#(session),"passive":true,"accuracy":"best""#, #""energyHistory""#,
            #""authorizeFullAccuracy","purposeKey":"t""#, #""regions""#, #""metrics""#,
            #""rangeBeacons","uuid":"\#(BeaconHarness.uuid)""#,
            #""stopRangingBeacons","uuid":"\#(BeaconHarness.uuid)""#,
            #""monitorRegion","identifier":"\#(name)","uuid":"\#(BeaconHarness.uuid)"\#(monitor)"#,
        ]
        if chance.next() % 8 == 0 { return gpsd.randomElement(using: &chance) ?? "?POLL;" }
        // Each request that there is, also one that is new, with no more than its name.
        if chance.next() % 4 == 0, let name = RequestName.allCases.randomElement(using: &chance) {
            return "{\"request\":\"\(name)\"}"
        }
        return "{\"request\":\(all.randomElement(using: &chance) ?? "")}"
    }

    private static let gpsd = [
        #"?WATCH={"enable":true,"json":true};"#, #"?WATCH={"enable":true,"json":true,"timing":true,"scaled":true};"#,
        #"?WATCH={"enable":true,"nmea":true};"#, #"?WATCH={"enable":true,"raw":2};"#, #"?WATCH={"enable":false};"#,
        "?POLL;", "?DEVICES;", "?DEVICE;", "?VERSION;", "?WATCH;",
    ]
}
