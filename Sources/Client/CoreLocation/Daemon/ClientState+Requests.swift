internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    static let maximumSessions = 64

    /// Opens a session for one manager or loop and returns the session's number; nil if all 64 numbers are taken.
    mutating func openSession(_ sink: any EventSink) -> Int? {
        for offset in 0..<Self.maximumSessions {
            let number = (nextSession + offset) % Self.maximumSessions
            guard sessions[number] == nil else { continue }
            sessions[number] = SessionRecord(sink: sink)
            nextSession = (number + 1) % Self.maximumSessions
            return number
        }
        return nil
    }

    mutating func closeSession(_ number: Int) {
        guard sessions.removeValue(forKey: number) != nil else { return }
        send(DaemonRequest(.release).with(.session, Self.member(number)))
    }

    /// Requests location updates for a session (one manager or loop) and returns the request's name; if the updates run
    /// already, resumes them if they are paused, and returns nil.
    mutating func watch(_ number: Int, _ settings: WatchSettings) -> String? {
        if sessions[number]?.watch != nil {
            resume(number)
            return nil
        }
        let name = newName("watch")
        sessions[number]?.locate = nil
        sessions[number]?.watch = SessionRecord.Watch(
            name: name, settings: settings, beganInForeground: isForeground)
        send(settings.line(.watch, session: number).with(.id, name))
        return name
    }

    /// Resumes paused updates by requesting them again, so that locations come at once.
    private mutating func resume(_ number: Int) {
        guard let watch = sessions[number]?.watch, watch.isPaused else { return }
        send(watch.settings.line(.watch, session: number).with(.id, watch.name))
    }

    mutating func change(_ number: Int, _ settings: WatchSettings) {
        guard let watch = sessions[number]?.watch, watch.settings != settings else { return }
        sessions[number]?.watch?.settings = settings
        send(settings.line(.change, session: number))
    }

    /// Ends the location updates of a session (one manager or loop) and its request for one location.
    mutating func unwatch(_ number: Int) -> [EventDelivery] {
        guard let session = sessions[number], session.watch != nil || session.locate != nil else { return [] }
        sessions[number]?.watch = nil
        sessions[number]?.locate = nil
        sessions[number]?.batch = []
        send(DaemonRequest(.unwatch).with(.session, Self.member(number)))
        return stopDeferral(number)
    }

    mutating func locate(_ number: Int, _ accuracy: CLLocationAccuracy) -> String? {
        guard let session = sessions[number], session.watch == nil, session.locate == nil else { return nil }
        let locate = SessionRecord.Locate(name: newName("locate"), accuracy: accuracy)
        sessions[number]?.locate = locate
        send(locateLine(number, locate))
        return locate.name
    }

    func locateLine(_ number: Int, _ locate: SessionRecord.Locate) -> DaemonRequest {
        DaemonRequest(.locateOnce).with(.id, locate.name).with(.session, Self.member(number))
            .withAccuracy(locate.accuracy)
    }

    mutating func deferUpdates(_ number: Int, _ distance: CLLocationDistance, _ timeout: TimeInterval)
        -> [EventDelivery]
    {
        guard sessions[number]?.watch != nil else { return [] }
        let canceled = endDeferral(number, .deferredCanceled)
        let deferral = SessionRecord.Deferral(
            name: newName("defer"), distance: distance < Self.unlimitedDistance ? max(distance, 0) : nil,
            timeout: timeout < Self.unlimitedTime ? max(timeout, 0) : nil, origin: newest)
        sessions[number]?.deferral = deferral
        send(deferLine(number, deferral))
        return canceled
    }

    /// The smallest distance in metres and the smallest time in seconds (a year) that a deferral of updates requests as
    /// unlimited, because the daemon accepts no larger number.
    private static let unlimitedDistance: CLLocationDistance = 40_000_000
    private static let unlimitedTime: TimeInterval = 31_536_000

    func deferLine(_ number: Int, _ deferral: SessionRecord.Deferral) -> DaemonRequest {
        DaemonRequest(.defer).with(.id, deferral.name).with(.session, Self.member(number))
            .with(.distance, deferral.distance).with(.timeout, deferral.timeout).with(.hold, "inBackground")
    }

    mutating func undefer(_ number: Int) -> [EventDelivery] {
        guard sessions[number]?.deferral != nil else { return [] }
        send(DaemonRequest(.undefer).with(.session, Self.member(number)))
        return stopDeferral(number)
    }

    /// Ends a deferral because the program wishes it: at once if there is no connection, otherwise when the daemon has
    /// answered or the connection is lost.
    private mutating func stopDeferral(_ number: Int) -> [EventDelivery] {
        guard isReady else { return endDeferral(number, nil) }
        sessions[number]?.deferral?.isEnding = true
        return []
    }

    /// Ends a deferral of updates; lines of the daemon that name it later are ignored.
    mutating func endDeferral(_ number: Int, _ code: CLError.Code?) -> [EventDelivery] {
        guard sessions[number]?.deferral != nil, let sink = sessions[number]?.sink else { return [] }
        sessions[number]?.deferral = nil
        return [EventDelivery(event: .deferralFinished(code), sinks: [sink])]
    }

    /// Sends a request for authorization on every call, even if the program has requested the same authorization
    /// before.
    ///
    /// The daemon ignores some requests, such as one made in the background, so the program must be able to repeat
    /// them. The daemon asks the user only once.
    mutating func authorize(_ number: Int, _ authorization: AuthorizationRequest, purpose: String?) {
        sessions[number]?.purpose = purpose.map(Self.line)
        guard let asked = sessions[number]?.authorizations else { return }
        if !asked.contains(authorization) { sessions[number]?.authorizations.append(authorization) }
        send(authorizeLine(number, authorization))
    }

    /// When a service starts, requests when-in-use authorization if the authorization is not determined and nothing is
    /// requested yet.
    ///
    /// The daemon's `hello` line tells the authorization: until this line has come the request waits, and it is sent
    /// only if the authorization is not determined.
    mutating func askAtStart(_ number: Int, purpose: String?) {
        guard authorization.status == .notDetermined, sessions[number]?.authorizations.isEmpty == true else { return }
        authorize(number, .atStart, purpose: purpose)
    }

    /// The reason why the program gets no service: it is denied, or its manifest has no purpose text to ask the user
    /// with; nil if neither holds.
    var denialReason: CLError.Reason? {
        if authorization.isDenied { return authorization.denialReason }
        return isUnasked ? .noPurpose : nil
    }

    /// Whether the program's authorization is not determined and its manifest has no purpose text to ask the user with.
    var isUnasked: Bool { authorization.status == .notDetermined && greeting?.hasPurpose == false }

    /// The failure of significant changes or visits if the program gets no service, otherwise nil; it names no request,
    /// because these services belong to no session.
    var serviceFailure: ClientEvent? {
        denialReason.map { .failed(.denied, of: CLLocationManager.nobody, reason: $0) }
    }

    mutating func authorizeLine(_ number: Int, _ wanted: AuthorizationRequest) -> DaemonRequest {
        if isReady, greeting?.hasPurpose == false, complaints.insert("noPurpose").inserted {
            handOver.effects.append {
                Complaint.print(
                    "the program's manifest has no purpose.whenInUse, so nobody is asked whether the program may know "
                        + "where the board is; an operator can add it in /etc/sextant/clients.d")
            }
        }
        if isReady, greeting?.hasPurpose == true, authorization.status == .notDetermined,
            complaints.insert("waits").inserted
        {
            handOver.effects.append {
                Complaint.print(
                    "the program asks whether it may know where the board is, and waits for the answer; an operator can "
                        + "give it with sextant clients allow")
            }
        }
        let isImplicit = wanted == .atStart
        return DaemonRequest(.authorize).with(.session, Self.member(number))
            .with(.authorization, word: isImplicit ? AuthorizationRequest.whenInUse : wanted)
            .with(.implicit, isImplicit ? true : nil)
            .with(.purpose, sessions[number]?.purpose)
    }

    /// The largest number of bytes in a purpose text that the daemon accepts.
    private static let longestPurpose = 512

    /// A purpose text in the form that the daemon accepts: control characters become spaces, and at most 512 bytes of
    /// UTF-8 are kept.
    private static func line(_ purpose: String) -> String {
        var line = ""
        for scalar in purpose.unicodeScalars {
            let shown = scalar.properties.generalCategory == .control ? " " : Character(scalar)
            guard line.utf8.count + shown.utf8.count <= longestPurpose else { break }
            line.append(shown)
        }
        return line
    }

    /// Requests temporary full accuracy and returns the request's name; nil if the session (one manager or loop) has 16
    /// such requests open already.
    mutating func askFullAccuracy(_ number: Int, purposeKey: String) -> String? {
        guard let open = sessions[number]?.fullAccuracy, open.count < 16 else { return nil }
        let name = newName("accuracy")
        sessions[number]?.fullAccuracy[name] = purposeKey
        send(fullAccuracyLine(number, name: name, purposeKey: purposeKey))
        return name
    }

    func fullAccuracyLine(_ number: Int, name: String, purposeKey: String) -> DaemonRequest {
        DaemonRequest(.authorizeFullAccuracy).with(.id, name).with(.session, Self.member(number))
            .with(.purposeKey, purposeKey)
    }

    /// The session number to write into a request; nil for session 0, whose number requests leave out.
    static func member(_ number: Int) -> Int? {
        number == 0 ? nil : number
    }
}
