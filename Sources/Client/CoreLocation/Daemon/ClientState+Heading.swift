internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    /// Requests headings for a session (one manager or loop) and returns the request's name; nil if the session's
    /// headings run already.
    mutating func watchHeading(_ number: Int, _ settings: HeadingSettings) -> String? {
        guard let session = sessions[number], session.heading == nil else { return nil }
        let heading = SessionRecord.Heading(name: newName("heading"), settings: settings)
        sessions[number]?.heading = heading
        send(settings.line(.watchHeading, session: number).with(.id, heading.name))
        return heading.name
    }

    mutating func changeHeading(_ number: Int, _ settings: HeadingSettings) {
        guard let heading = sessions[number]?.heading, heading.settings != settings else { return }
        sessions[number]?.heading?.settings = settings
        send(settings.line(.changeHeading, session: number))
    }

    mutating func unwatchHeading(_ number: Int) {
        guard sessions[number]?.heading != nil else { return }
        sessions[number]?.heading = nil
        send(DaemonRequest(.unwatchHeading).with(.session, Self.member(number)))
    }

    /// Handles a line from the daemon about headings; until the daemon has confirmed the request, headings belong to an
    /// earlier request and are skipped.
    mutating func takeHeading(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard let heading = sessions[number]?.heading, let sink = sessions[number]?.sink else { return [] }
        if line.event == .watchingHeading {
            if line.isEnabled, line.id == heading.name { sessions[number]?.heading?.isConfirmed = true }
            return []
        }
        guard heading.isConfirmed, let event = event(line, of: heading.name) else { return [] }
        return [EventDelivery(event: event, sinks: [sink])]
    }

    private func event(_ line: DaemonLine, of name: String) -> ClientEvent? {
        switch line.event {
        case .heading: CLHeading(reported: line).map { .heading($0, of: name) }
        case .failed: .failed(.headingFailure, of: name)
        default: line.flag(.wanted) == true ? .headingCalibrationWanted(of: name) : nil
        }
    }
}

extension CLHeading {
    /// The heading in a line (one JSON object) from the daemon; nil if the line contains none.
    convenience init?(reported line: DaemonLine) {
        guard let magnetic = line.number(.magneticHeading) else { return nil }
        self.init(
            HeadingMeasurement(
                magneticHeading: magnetic, trueHeading: line.number(.trueHeading) ?? -1,
                headingAccuracy: line.number(.headingAccuracy) ?? -1, x: line.number(.x) ?? 0,
                y: line.number(.y) ?? 0,
                z: line.number(.z) ?? 0, timestamp: line.date(.time) ?? Date()))
    }
}
