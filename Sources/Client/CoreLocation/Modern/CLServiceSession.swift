internal import ClientVocabulary
internal import DaemonClient

/// A session that asks for the program's authorization for as long as the session lives.
///
/// The session asks for a missing authorization, and asks again after an authorization has lapsed. In the background,
/// the updates and monitors of a program that is always authorized need a session that asks for `always`.
public final class CLServiceSession: Sendable {
    private let held: HeldSession

    /// The authorization that the session asks for; with `none` it asks for nothing.
    public enum AuthorizationRequirement: Int, Sendable {
        case none
        case whenInUse
        case always

        fileprivate var name: String {
            switch self {
            case .none: "none"
            case .whenInUse: "whenInUse"
            case .always: "always"
            }
        }
    }

    public convenience init(authorization: AuthorizationRequirement) {
        self.init(client: .shared, authorization, purposeKey: nil)
    }

    /// Makes a session that also asks for full accuracy; the user sees the manifest's text for this purpose key.
    public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        self.init(client: .shared, authorization, purposeKey: fullAccuracyPurposeKey)
    }

    init(client: LocationClient, _ authorization: AuthorizationRequirement, purposeKey: String?) {
        held = HeldSession(client: client) { line in
            line.with(.authorization, authorization.name).with(.fullAccuracyPurposeKey, purposeKey)
        }
    }

    deinit {
        held.invalidate()
    }

    /// Ends the session for good.
    public func invalidate() {
        held.invalidate()
    }

    /// The session's diagnostics now and after every change, until the session is invalidated.
    public var diagnostics: Diagnostics { Diagnostics(held: held) }

    /// The reasons that keep the session from the authorization that it asks for.
    public struct Diagnostic: Sendable {
        let flags: DiagnosticFlags

        public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
        public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
        public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
        public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
        public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
        public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
        public var alwaysAuthorizationDenied: Bool { flags.contains(.alwaysAuthorizationDenied) }
        public var fullAccuracyDenied: Bool { flags.contains(.fullAccuracyDenied) }
    }

    public struct Diagnostics: AsyncSequence, Sendable {
        public typealias Element = Diagnostic
        let held: HeldSession

        public func makeAsyncIterator() -> Iterator {
            Iterator(queue: held.diagnostics())
        }

        public struct Iterator: AsyncIteratorProtocol {
            let queue: BoundedQueue<DiagnosticFlags>

            public mutating func next() async throws -> Diagnostic? {
                await queue.next().map(Diagnostic.init)
            }
        }
    }
}
