internal import ClientVocabulary
internal import DaemonClient
internal import Foundation
internal import SextantUnits

/// The members of a line (one JSON object) from the daemon, as Core Location's types.
extension DaemonLine {
    var id: String? { text(.id) }
    var session: Int? { integer(.session) }
    var number: Int? { integer(.number) }
    var errorCode: Int? { integer(.errorCode) }
    var reason: FailureReason? { word(.reason) }
    var identifier: String? { text(.identifier) }
    var monitor: String? { text(.monitor) }
    var transition: TransitionName? { word(.transition) }
    var state: RegionStateName? { word(.state) }
    /// The event number and content of the line, by which a repeated event is recognised; nil if the line has no
    /// number.
    var numbered: SeenNumbers.Event? {
        number.map { number in
            // For events other than region events the time does not help to recognise a repeated event, because the
            // daemon can coarsen it before it repeats the event to a program of reduced accuracy.
            let time = event == .regionEvent ? text(.time) : nil
            return SeenNumbers.Event(
                number: number, content: [text(.event), identifier, monitor, text(.transition), time])
        }
    }
    var isSignificantChange: Bool { text(.service) == "significantChange" }
    /// Whether the line says that the requested service is on; true if the line does not say.
    var isEnabled: Bool { flag(.enabled) ?? true }
    var flags: SessionDiagnostics {
        SessionDiagnostics(SessionDiagnostics.names.filter { isSet($0.name.description) }.map(\.flag))
    }
    var authorization: Authorization? { Authorization(self) }
    /// The location in the line's member `location`; if the line has no such member, the location in the line itself.
    var location: CLLocation? { CLLocation(reported: object(.location) ?? self) }
    var visit: ReportedVisit? { ReportedVisit(self) }

    var coordinate: CLLocationCoordinate2D? {
        guard let latitude = number(.latitude), let longitude = number(.longitude) else { return nil }
        return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }

    func date(_ key: MemberKey) -> Date? {
        instant(key).map { instant in
            // The seconds are counted from 2001 as Foundation does: a `Date` made from seconds since 1970 can be wrong
            // in its last bit.
            let sinceReference = instant.advanced(byNanoseconds: -nanosecondsTo2001)
            return Date(timeIntervalSinceReferenceDate: sinceReference.seconds)
        }
    }

    /// The range between the dates in two members of the line; nil if either is missing or the second date is before
    /// the first.
    func range(_ first: MemberKey, _ last: MemberKey) -> ClosedRange<Date>? {
        guard let from = date(first), let until = date(last), from <= until else { return nil }
        return from...until
    }
}

/// Nanoseconds from 1970 to Foundation's reference date, 2001-01-01T00:00:00Z.
private let nanosecondsTo2001: Int64 = 978_307_200_000_000_000
