internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension CLLocationManager {
    func beginHeadings() {
        guard let session = openSession() else { return }
        let settings = headingSettings
        let name = client.update { state in (state.watchHeading(session, settings), []) }
        headingName = name ?? headingName
    }

    func endHeadings() {
        headingName = nil
        guard let session else { return }
        client.update { state in
            state.unwatchHeading(session)
            return ((), [])
        }
    }

    func headingSettingsDidChange() {
        guard let session, headingName != nil else { return }
        let settings = headingSettings
        client.update { state in
            state.changeHeading(session, settings)
            return ((), [])
        }
    }

    func dismissCalibration() { sayOfCalibration(.dismissHeadingCalibration) }

    func deliver(_ heading: CLHeading, of name: String) {
        guard name == headingName else { return }
        lastHeading = heading
        delegate?.locationManager(self, didUpdateHeading: heading)
    }

    /// Asks the delegate whether the user should calibrate the compass; if so, has the daemon ask the user to turn the
    /// device about.
    func askForCalibration(of name: String) {
        guard name == headingName, let delegate,
            delegate.locationManagerShouldDisplayHeadingCalibration(self), name == headingName
        else { return }
        sayOfCalibration(.displayHeadingCalibration)
    }

    private func sayOfCalibration(_ request: RequestName) {
        guard let session, headingName != nil else { return }
        client.update { state in
            state.send(DaemonRequest(request).with(.session, ClientState.member(session)))
            return ((), [])
        }
    }
}

extension CLDeviceOrientation {
    /// Whether the orientation says which side of the device is its top; `faceUp`, `faceDown` and `unknown` do not.
    var isReference: Bool {
        switch self {
        case .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight: true
        case .unknown, .faceUp, .faceDown: false
        }
    }
}
