public import Access
internal import ClientProtocol
public import ClientVocabulary
internal import Parts

/// A part's surroundings: `tracker` is authorized always, has a wake unit and may have two regions; `guest` was never asked
/// about, and may not be started.
public func grants(tracker answer: OperatorAnswer = .always) -> Grants {
    var tracker = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
    tracker.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
    tracker.wakeUnit = "tracker.service"
    tracker.maximumRegions = 2
    let guest = ClientManifest(name: "guest", selector: ClientSelector(unit: "guest.service"))
    let admission = Admission(manifests: ClientManifests([guest, tracker]), policy: OperatorPolicy())
    let owner = ClientID(rawValue: 1)
    var access = Access(userID: nil)
    var turn = Turn(at: start)
    _ = access.admit(admission, &turn)
    access.restored(&turn)
    access.serve(
        .answer(client: "tracker", answer, reducesAccuracy: nil, mayBeWoken: nil), id: nil, of: owner, &turn)
    access.serve(.answer(client: "guest", nil, reducesAccuracy: nil, mayBeWoken: false), id: nil, of: owner, &turn)
    return access.view.grants
}
