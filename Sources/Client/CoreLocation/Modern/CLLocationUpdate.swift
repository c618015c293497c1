/// Where the device is, or why that cannot be told.
public struct CLLocationUpdate: Sendable {
    /// Nil where there is none to tell.
    public let location: CLLocation?
    /// Whether the device rests, so that no more will come until it moves.
    public let stationary: Bool
    let flags: DiagnosticFlags

    @available(*, deprecated, renamed: "stationary")
    public var isStationary: Bool { stationary }

    public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
    /// Location services are switched off for everybody.
    public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
    public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
    /// The user is being asked.
    public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
    /// The program is not in the foreground and holds no session that would serve.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    /// The manifest wants a `CLServiceSession`, and none is held.
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    /// Only reduced accuracy may be told, which is a few times an hour.
    public var accuracyLimited: Bool { flags.contains(.accuracyLimited) }
    /// No position can be had for now.
    public var locationUnavailable: Bool { flags.contains(.locationUnavailable) }

    /// What the updates are for, which decides when they pause.
    public enum LiveConfiguration: Int, Sendable, CaseIterable {
        case `default`
        case automotiveNavigation
        case otherNavigation
        case fitness
        case airborne

        var activityType: CLActivityType {
            switch self {
            case .default: .other
            case .automotiveNavigation: .automotiveNavigation
            case .otherNavigation: .otherNavigation
            case .fitness: .fitness
            case .airborne: .airborne
            }
        }
    }

    /// Updates for as long as somebody iterates over them; each loop has its own.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(client: .shared, configuration: configuration)
    }

    /// An endless sequence: it begins with the loop and stops when the loop is left.
    ///
    /// A loop that is slower than the updates misses the oldest: 64 wait at most.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = CLLocationUpdate
        let client: LocationClient
        let configuration: LiveConfiguration

        public func makeAsyncIterator() -> Iterator {
            Iterator(loop: LiveLoop(client: client, activityType: configuration.activityType))
        }

        public struct Iterator: AsyncIteratorProtocol {
            let loop: LiveLoop

            /// The next update; nil only once the task is cancelled.
            public mutating func next() async throws -> CLLocationUpdate? {
                loop.begin()
                return await loop.queue.next()
            }
        }
    }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
