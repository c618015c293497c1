internal import ClientVocabulary
internal import DaemonClient
internal import Glibc

/// This command's access to locations, as the daemon's `hello` and `authorization` lines state it.
///
/// It tells a command when locations can never come, so that the command does not wait in vain.
struct DaemonAccess {
    private var client: String?
    private var status: AuthorizationStatus?
    private var servicesEnabled: Bool
    private var hasPurpose: Bool
    private(set) var isReduced: Bool
    /// The largest number of regions that this client can watch; nil if the daemon does not say.
    let maximumRegions: Int?

    static var noManifest: String {
        let others =
            geteuid() == 0 ? "" : "use sudo, or join the group: sudo adduser $USER sextant, and log in again; or "
        return "no manifest names this process (user \(geteuid())), so it gets no locations; \(others)write a manifest "
            + "in /etc/sextant/clients.d, where the package has one of this command's"
    }

    /// - Parameter hello: The daemon's first line, a JSON object.
    init(_ hello: DaemonLine) {
        client = hello.text(.client)
        maximumRegions = hello.number(.maximumRegions).map { Int($0) }
        hasPurpose = hello.object(.purposes)?.flag(.whenInUse) ?? false
        (status, servicesEnabled, isReduced) = (nil, true, false)
        update(hello)
    }

    /// Updates the access from an `authorization` line of the daemon.
    mutating func update(_ line: DaemonLine) {
        status = line.word(.status)
        servicesEnabled = line.flag(.servicesEnabled) ?? true
        isReduced = line.word(.accuracyAuthorization) == AccuracyAuthorization.reduced
    }

    /// The name of the client manifest that covers this command; "this command" if no manifest does.
    var name: String { client ?? "this command" }

    private var isUndetermined: Bool { servicesEnabled && status == .notDetermined }

    /// A text that says why no locations can come and what helps; nil if they can come, or if the user can still be
    /// asked for authorization.
    var refusal: String? {
        guard client != nil else { return DaemonAccess.noManifest }
        guard servicesEnabled else {
            return "location services are off; an operator can switch them on: sextant services on"
        }
        return switch status {
        case .denied: "\(name) is denied locations; an operator can allow it: sextant clients allow \(name)"
        case .restricted:
            "\(name) is restricted by the operator's policy; change its rule in /etc/sextant/policy.json5"
        case .notDetermined where !hasPurpose:
            "\(name) is not authorized, and its manifest has no purpose.whenInUse to ask with; write one, "
                + "or allow it: sextant clients allow \(name)"
        default: nil
        }
    }
}

extension DaemonAccess {
    /// A text that says why no region events come, or why they come only while a command runs, and what helps; nil if
    /// all events come.
    var regionNote: String? {
        if let refusal { return refusal }
        if isReduced {
            return "\(name) has reduced accuracy, but regions need full accuracy; an operator can give it: "
                + "sextant clients full \(name)"
        }
        return switch status {
        case .notDetermined, .authorizedWhenInUse:
            "\(name) is not authorized always, so only while one of its commands runs; an operator can authorize it: "
                + "sextant clients always \(name)"
        default: nil
        }
    }

    /// Requests when-in-use authorization if no decision about this command exists, and waits for the decision; throws
    /// if locations are refused.
    static func required(_ daemon: inout Daemon) throws(CommandFailure) -> DaemonAccess {
        var access = DaemonAccess(daemon.hello)
        if let refusal = access.refusal { throw .refused(refusal) }
        guard access.isUndetermined else { return access }
        StandardError.write(
            "sextant: \(access.name) is not authorized yet; waiting for an answer: sextant agent, or "
                + "sextant clients allow \(access.name)")
        try daemon.send(DaemonRequest(.authorize).with(.authorization, word: AuthorizationRequest.whenInUse))
        while access.isUndetermined {
            access.update(try daemon.next([.authorization]))
            if let refusal = access.refusal { throw .refused(refusal) }
        }
        return access
    }
}
