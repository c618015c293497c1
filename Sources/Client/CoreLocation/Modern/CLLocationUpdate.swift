internal import ClientVocabulary

/// A location of the device, or the reasons why no location can be delivered.
public struct CLLocationUpdate: Sendable {
    /// The device's location; nil if no location can be delivered.
    public let location: CLLocation?
    /// Whether the device stands still, so that no more updates will come until it moves.
    public let stationary: Bool
    let flags: SessionDiagnostics

    @available(*, deprecated, renamed: "stationary")
    public var isStationary: Bool { stationary }

    public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
    /// Whether location services are switched off for all programs.
    public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
    public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
    /// Whether the user is being asked for authorization now.
    public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
    /// Whether the program is in the background and holds no session that would let updates go on.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    /// Whether the program holds no `CLServiceSession` although its manifest demands one.
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    /// Whether the program is allowed only locations of reduced accuracy, which come a few times per hour.
    public var accuracyLimited: Bool { flags.contains(.accuracyLimited) }
    /// Whether no position is available for now.
    public var locationUnavailable: Bool { flags.contains(.locationUnavailable) }

    /// The activity that the updates are for, which decides when they pause.
    public enum LiveConfiguration: Int, Sendable, CaseIterable {
        case `default`
        case automotiveNavigation
        case otherNavigation
        case fitness
        case airborne
        /// Updates for vessels on water, under way or at anchor.
        case maritime

        var activityType: CLActivityType {
            switch self {
            case .default: .other
            case .automotiveNavigation: .automotiveNavigation
            case .otherNavigation: .otherNavigation
            case .fitness: .fitness
            case .airborne: .airborne
            case .maritime: .maritime
            }
        }
    }

    /// A sequence of location updates, which the daemon sends while a loop iterates over it; each loop has its own
    /// updates.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(client: .shared, configuration: configuration)
    }

    /// An endless sequence of updates, which begins with the loop over it and stops when the loop is left.
    ///
    /// At most 64 updates wait for a slow loop; beyond that the oldest is dropped.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = CLLocationUpdate
        let client: LocationClient
        let configuration: LiveConfiguration

        public func makeAsyncIterator() -> Iterator {
            Iterator(loop: LiveLoop(client: client, activityType: configuration.activityType))
        }

        public struct Iterator: AsyncIteratorProtocol {
            let loop: LiveLoop

            /// Waits for the next update; nil only once the task is cancelled.
            public mutating func next() async throws -> CLLocationUpdate? {
                loop.begin()
                return await loop.queue.next()
            }
        }
    }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
