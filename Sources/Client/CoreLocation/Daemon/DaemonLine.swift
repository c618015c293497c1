internal import Foundation

/// One line from the daemon, with the members that a client may need.
///
/// A member that is absent, unknown or of another type is nil: a newer daemon may send more.
struct DaemonLine: Sendable {
    let event: String
    let id: String?
    let session: Int?
    let number: Int?
    let version: Int?
    let authorization: Authorization?
    let maximumRegions: Int?
    let backgroundMode: Bool
    let launchReason: String?
    let capabilities: Set<String>
    let location: CLLocation?
    let more: Bool
    let service: String?
    let errorCode: Int?
    let reason: String?
    let enabled: Bool?
    let active: Bool
    let flags: DiagnosticFlags
    let code: String?
    let message: String?
    let kind: String?
    let identifier: String?
    let monitor: String?
    let transition: String?
    let state: String?
    let time: Date?
    let date: Date?
    let circle: Circle?
    let visit: ReportedVisit?
    let heading: CLHeading?
    let wanted: Bool?

    /// The names of members in the daemon's lines.
    enum Key: String, CodingKey {
        case event, id, session, number, status, accuracyAuthorization, servicesEnabled, maximumRegions
        case version = "protocol"
        case backgroundMode, launchReason, capabilities, location, more, service, errorCode, reason, enabled, active
        case authorizationDenied, authorizationDeniedGlobally, authorizationRestricted
        case authorizationRequestInProgress, insufficientlyInUse, serviceSessionRequired, accuracyLimited
        case alwaysAuthorizationDenied, fullAccuracyDenied, locationUnavailable, persistenceUnavailable
        case code, message, kind, identifier, monitor, transition, state, time, timeValidated, date
        case latitude, longitude, radius, notifyOnEntry, notifyOnExit, arrival, departure, fixType, horizontalAccuracy
        case verticalAccuracy, altitudeAboveMeanSeaLevel, heightAboveEllipsoid, speed, speedAccuracy, course
        case courseAccuracy, simulated, accessory, magneticHeading, trueHeading, headingAccuracy, x, y, z, wanted
    }
}

extension DaemonLine: Decodable {
    init(from decoder: any Decoder) throws {
        let members = LineMembers(try decoder.container(keyedBy: Key.self))
        event = try members.container.decode(String.self, forKey: .event)
        id = members[.id]
        session = members[.session]
        number = members[.number]
        version = members[.version]
        authorization = Authorization(members)
        maximumRegions = members[.maximumRegions]
        backgroundMode = members[.backgroundMode] ?? false
        launchReason = members[.launchReason]
        capabilities = Set(members[.capabilities] ?? [String]())
        let nested = try? members.container.nestedContainer(keyedBy: Key.self, forKey: .location)
        location = CLLocation(reported: nested.map(LineMembers.init) ?? members)
        more = members[.more] ?? false
        service = members[.service]
        errorCode = members[.errorCode]
        reason = members[.reason]
        enabled = members[.enabled]
        active = members[.active] ?? false
        flags = DiagnosticFlags(
            DiagnosticFlags.names.compactMap { members[$0.0] == true ? $0.1 : nil })
        code = members[.code]
        message = members[.message]
        kind = members[.kind]
        identifier = members[.identifier]
        monitor = members[.monitor]
        transition = members[.transition]
        state = members[.state]
        time = members.date(.time)
        date = members.date(.date)
        circle = Circle(members)
        visit = ReportedVisit(members)
        heading = CLHeading(reported: members)
        wanted = members[.wanted]
    }
}
