/// What a client's manifest declares: who it is, why it asks, and what it may have.
///
/// It is what an app's `Info.plist` is to Core Location; only the operator writes it.
public struct ClientManifest: Sendable, Equatable {
    /// What the client is called everywhere; no two manifests share one.
    public var name: String
    public var selector: ClientSelector
    public var purposes = PurposeStrings()
    /// Whether it may go on in the background (`UIBackgroundModes`, `location`).
    public var backgroundMode = false
    /// The systemd unit that the daemon may start for an event; nil where it starts none.
    public var wakeUnit: String?
    /// Regions that it may have monitored at a time, in `regionBounds`.
    public var maximumRegions = 1000
    /// Without which the client is not served.
    public var requires: Set<Requirement> = []
    /// Whether nothing flows without an explicit session (`NSLocationRequireExplicitServiceSession`).
    public var requiresServiceSession = false
    /// Whether it may ask what an operator may.
    public var isOperator = false

    /// What `maximumRegions` may be.
    public static let regionBounds = 1...100_000

    /// Hardware that a client cannot do without (`UIRequiredDeviceCapabilities`).
    public enum Requirement: String, Sendable, Hashable, CaseIterable {
        case receiver, magnetometer
    }

    public init(name: String, selector: ClientSelector) {
        self.name = name
        self.selector = selector
    }

    /// What it requires and the board does not have, in the order of their declaration.
    public func unmetRequirements(with present: Set<Requirement>) -> [Requirement] {
        Requirement.allCases.filter { requires.contains($0) && !present.contains($0) }
    }
}

/// Selects the processes that a manifest applies to: all given members must match, and an empty selector matches none.
public struct ClientSelector: Sendable, Equatable {
    /// The systemd unit of the process's cgroup.
    public var unit: String?
    public var executable: String?
    public var user: UInt32?
    public var group: UInt32?

    public init(unit: String? = nil, executable: String? = nil, user: UInt32? = nil, group: UInt32? = nil) {
        self.unit = unit
        self.executable = executable
        self.user = user
        self.group = group
    }

    public func fits(_ identity: PeerIdentity) -> Bool {
        guard specificity > 0 else { return false }
        return (unit == nil || unit == identity.unit)
            && (executable == nil || executable == identity.executable)
            && (user == nil || user == identity.userID)
            && group.map { identity.groups.contains($0) } ?? true
    }

    /// A unit says more than all the rest together, then the executable, then the user, then the group.
    var specificity: Int {
        (unit == nil ? 0 : 8) + (executable == nil ? 0 : 4) + (user == nil ? 0 : 2) + (group == nil ? 0 : 1)
    }
}
