/// Keeps a program in use while it is in the background, with the indicator on.
///
/// It works with the manifest's `backgroundMode`, begun in the foreground or at once after the program was started again.
/// It ends when it is invalidated or let go of.
public final class CLBackgroundActivitySession: Sendable {
    private let held: HeldSession

    public convenience init() {
        self.init(client: .shared)
    }

    init(client: LocationClient) {
        held = HeldSession(client: client) { $0.with("kind", "backgroundActivity") }
    }

    deinit {
        held.invalidate()
    }

    /// Ends the session for good.
    public func invalidate() {
        held.invalidate()
    }

    /// How the session stands, and every change of that, until it is invalidated.
    public var diagnostics: Diagnostics { Diagnostics(held: held) }

    /// What keeps the session from being active.
    public struct Diagnostic: Sendable {
        let flags: DiagnosticFlags

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
            let queue: BoundedQueue<DiagnosticFlags>

            public mutating func next() async throws -> Diagnostic? {
                await queue.next().map(Diagnostic.init)
            }
        }
    }
}
