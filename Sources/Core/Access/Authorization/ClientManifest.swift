public import Parts

/// The declarations of a client's manifest: who the client is, why it asks, and what it may have.
///
/// A manifest is what `Info.plist` is to an app of Core Location; only the operator writes it.
public struct ClientManifest: Sendable, Equatable {
    /// The client's name everywhere; no two manifests share one.
    public var name: String
    public var selector: ClientSelector
    public var purposes = PurposeStrings()
    /// Whether the client may go on in the background (`UIBackgroundModes`, `location`).
    public var backgroundMode = false
    /// The systemd unit that the daemon may start for an event; nil where it may start none.
    public var wakeUnit: String?
    /// The regions at whose borders the daemon starts units; no two share a name, and there are at most `maximumRegions`.
    public var regions: [BorderRegion] = []
    /// The most regions that the client may have monitored at a time, those of its manifest included; within `regionBounds`.
    public var maximumRegions = 1000
    /// Hardware without which the client is not served.
    public var requires: Set<Requirement> = []
    /// Whether the client gets nothing without an explicit session (`NSLocationRequireExplicitServiceSession`).
    public var requiresServiceSession = false
    /// Whether the client gets reduced accuracy unless somebody decides otherwise (`NSLocationDefaultAccuracyReduced`).
    public var defaultAccuracyReduced = false
    /// Whether a service that the client starts before anything was decided asks the user, as before iOS 8.
    public var asksAtStart = true
    /// Whether the host stays on while the client asks for anything.
    public var forbidsHostSleep = false
    /// Whether the client may make the requests that are reserved for operators.
    public var isOperator = false
    /// Whether the client's file is missing: no process is the client, and what was stored about it waits.
    public private(set) var isAbsent = false

    /// The range of `maximumRegions`.
    public static let regionBounds = 1...100_000

    /// Hardware that a client cannot do without (`UIRequiredDeviceCapabilities`).
    public enum Requirement: String, Sendable, Hashable, CaseIterable {
        case receiver, magnetometer
    }

    public init(name: String, selector: ClientSelector) {
        self.name = name
        self.selector = selector
    }

    /// A client whose file is missing, with the regions that its file named when it was last read.
    public static func absent(_ name: String, regions: [BorderRegion] = []) -> ClientManifest {
        var manifest = ClientManifest(name: name, selector: ClientSelector())
        manifest.regions = regions
        manifest.isAbsent = true
        return manifest
    }

    /// The required hardware that the board does not have, in the order of declaration.
    public func unmetRequirements(with present: Set<Requirement>) -> [Requirement] {
        Requirement.allCases.filter { requires.contains($0) && !present.contains($0) }
    }
}

/// Selects the processes that a manifest applies to: all given members must match, and an empty selector matches none.
public struct ClientSelector: Sendable, Equatable {
    /// The systemd unit of the process's cgroup.
    public var unit: String?
    public var executable: String?
    /// The name of the process, as the kernel shows it, of at most `maximumCommandBytes`.
    ///
    /// Any program may give itself a name, so this keeps apart what one user runs, and protects from nobody.
    public var command: String?
    public var user: UInt32?
    public var group: UInt32?

    /// The bytes of a name that the kernel keeps (TASK_COMM_LEN, less its final zero).
    public static let maximumCommandBytes = 15

    public init(
        unit: String? = nil, executable: String? = nil, user: UInt32? = nil, group: UInt32? = nil,
        command: String? = nil
    ) {
        self.unit = unit
        self.executable = executable
        self.user = user
        self.group = group
        self.command = command
    }

    public func fits(_ identity: PeerIdentity) -> Bool {
        guard specificity > 0 else { return false }
        return (unit == nil || unit == identity.unit)
            && (executable == nil || executable == identity.executable)
            && (command == nil || command == identity.command)
            && (user == nil || user == identity.userID)
            && group.map { identity.groups.contains($0) } ?? true
    }

    /// Whether the selector fits what is known of a process; a unit, a program or a name that could not be read may be
    /// any.
    func mayFit(_ identity: PeerIdentity) -> Bool {
        var known = identity
        known.unit = identity.unit ?? unit
        known.executable = identity.executable ?? executable
        known.command = identity.command ?? command
        return fits(known)
    }

    /// The selector's rank: a unit counts more than all the rest together, then the process's name, the executable,
    /// the user, and the group.
    var specificity: Int {
        (unit == nil ? 0 : 16) + (command == nil ? 0 : 8) + (executable == nil ? 0 : 4) + (user == nil ? 0 : 2)
            + (group == nil ? 0 : 1)
    }
}
