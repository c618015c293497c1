internal import ClientVocabulary
internal import DaemonClient
internal import Foundation
internal import SextantUnits

/// The members of the daemon's lines, as Core Location's types.
extension DaemonLine {
    var id: String? { text(.id) }
    var session: Int? { integer(.session) }
    var number: Int? { integer(.number) }
    var errorCode: Int? { integer(.errorCode) }
    var reason: String? { text(.reason) }
    var identifier: String? { text(.identifier) }
    var monitor: String? { text(.monitor) }
    var transition: String? { text(.transition) }
    var state: String? { text(.state) }
    /// The line as a numbered event, by which the same event is recognised when it is sent again; nil without a number.
    var numbered: SeenNumbers.Event? {
        number.map { number in
            // Other events' times become coarser where the client's accuracy is reduced before they are told again.
            let time = event == .regionEvent ? text(.time) : nil
            return SeenNumbers.Event(number: number, content: [text(.event), identifier, monitor, transition, time])
        }
    }
    var isSignificantChange: Bool { text(.service) == "significantChange" }
    /// Whether what was asked for is on; it is where the line does not say.
    var isEnabled: Bool { flag(.enabled) ?? true }
    var flags: DiagnosticFlags {
        DiagnosticFlags(DiagnosticFlags.names.compactMap { isSet($0.0) ? $0.1 : nil })
    }
    var authorization: Authorization? { Authorization(self) }
    /// The location that the line holds or is.
    var location: CLLocation? { CLLocation(reported: object(.location) ?? self) }
    var visit: ReportedVisit? { ReportedVisit(self) }

    var coordinate: CLLocationCoordinate2D? {
        guard let latitude = number(.latitude), let longitude = number(.longitude) else { return nil }
        return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }

    func date(_ key: MemberKey) -> Date? {
        instant(key).map { instant in
            // Counted from where Foundation counts: a Date that is made from 1970 can be off by its last bit.
            let sinceReference = instant.advanced(byNanoseconds: -nanosecondsTo2001)
            return Date(timeIntervalSinceReferenceDate: sinceReference.seconds)
        }
    }

    /// The dates from one member to another; nil where either is missing, or they are the wrong way round.
    func range(_ first: MemberKey, _ last: MemberKey) -> ClosedRange<Date>? {
        guard let from = date(first), let until = date(last), from <= until else { return nil }
        return from...until
    }
}

/// From 1970 to Foundation's reference, 2001-01-01T00:00:00Z.
private let nanosecondsTo2001: Int64 = 978_307_200_000_000_000
