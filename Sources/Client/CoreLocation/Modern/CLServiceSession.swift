internal import ClientVocabulary
internal import DaemonClient

/// An object that requests authorization for the program for as long as the object lives.
///
/// The session requests a missing authorization, and requests it again after it has lapsed. In the background, the
/// updates and monitors of a program that is always authorized need a session that requests `always`.
public final class CLServiceSession: Sendable {
    private let held: HeldSession

    /// The authorization that a session requests; with `none` a session requests nothing.
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

    /// Makes a session that also requests full accuracy; the user sees the manifest's text for this purpose key.
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

    /// A sequence of the session's diagnostics: the current ones, then those after each change until the session is
    /// invalidated.
    public var diagnostics: Diagnostics { Diagnostics(held: held) }

    /// The reasons why the session has not got the authorization that it requests.
    public struct Diagnostic: Sendable {
        let flags: SessionDiagnostics

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
            let queue: BoundedQueue<SessionDiagnostics>

            public mutating func next() async throws -> Diagnostic? {
                await queue.next().map(Diagnostic.init)
            }
        }
    }
}
