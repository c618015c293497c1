internal import ClientVocabulary
internal import DaemonClient
internal import Synchronization

/// A session that makes a program count as in use while it is in the background; meanwhile the location indicator is
/// on.
///
/// The session needs `backgroundMode` in the program's manifest, and must begin in the foreground or right after the
/// program was started again. It ends when it is invalidated or released.
public final class CLBackgroundActivitySession: Sendable {
    private let held: HeldSession
    let hostSleep = Mutex(false)

    public convenience init() {
        self.init(client: .shared)
    }

    init(client: LocationClient) {
        held = HeldSession(client: client) { $0.with(.kind, "backgroundActivity") }
    }

    /// Tells the daemon whether the board is allowed to sleep while the session lasts.
    func tellHostSleep(_ isAllowed: Bool) {
        held.hold { $0.with(.kind, "backgroundActivity").with(.hostSleep, isAllowed ? true : nil) }
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

    /// The reasons that keep the session from being active.
    public struct Diagnostic: Sendable {
        let flags: SessionDiagnostics

        public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
        public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
        public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
        public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
        public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
        public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
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
