internal import ClientVocabulary
internal import DaemonClient

struct HeadingSettings: Sendable, Equatable {
    /// The smallest change of heading that is reported.
    ///
    /// Unit: degree; `kCLHeadingFilterNone` for every sample.
    var filter: CLLocationDegrees = 1
    var orientation = CLDeviceOrientation.portrait

    /// A `watchHeading` or `changeHeading` request to the daemon, with these settings as its JSON members.
    func line(_ request: RequestName, session: Int) -> DaemonRequest {
        DaemonRequest(request).with(.session, ClientState.member(session))
            .with(.filter, filter > 0 ? min(filter, 180) : 0)
            .with(.orientation, word: orientation.name)
    }
}

extension CLDeviceOrientation {
    /// The word for this orientation in the daemon's protocol.
    fileprivate var name: DeviceOrientation {
        switch self {
        case .unknown: .unknown
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeLeft
        case .landscapeRight: .landscapeRight
        case .faceUp: .faceUp
        case .faceDown: .faceDown
        }
    }
}
