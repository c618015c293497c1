public import Parts

/// What a client's manifest declares: which processes are the client, why the client asks for locations, and what it
/// may do.
///
/// A manifest is what `Info.plist` is to an app of Core Location; only the operator writes it.
public struct ClientManifest: Sendable, Equatable {
    /// The client's name, unique among the manifests.
    public var name: String
    public var selector: ClientSelector
    public var purposes = PurposeStrings()
    /// Whether the client may receive locations in the background (`UIBackgroundModes`, `location`).
    public var backgroundMode = false
    /// The systemd unit that the daemon starts for an event when the client does not run; nil for none.
    public var wakeUnit: String?
    /// The regions in the manifest whose events start systemd units or go to an MQTT topic: at most `maximumRegions`,
    /// with unique names.
    public var regions: [BorderRegion] = []
    /// The largest number of regions that are monitored for the client at a time, including those of its manifest; its
    /// range is `regionBounds`.
    public var maximumRegions = 1000
    /// The hardware that the client needs; on a board without that hardware the client is not served.
    public var requires: Set<Requirement> = []
    /// Whether the client gets no locations without an explicit service session
    /// (`NSLocationRequireExplicitServiceSession`).
    public var requiresServiceSession = false
    /// Whether the client gets reduced accuracy unless the user or an operator decides otherwise
    /// (`NSLocationDefaultAccuracyReduced`).
    public var defaultAccuracyReduced = false
    /// Whether the user is asked when the client starts a service before its authorization is decided, as before iOS 8.
    public var asksAtStart = true
    /// Whether the host must stay on while the client has any request open.
    public var forbidsHostSleep = false
    /// Whether the client may make the requests that are reserved for operators.
    public var isOperator = false
    /// Whether the manifest's file is missing: no process then counts as the client, and the data stored about the
    /// client are kept.
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

    /// Makes the stand-in for a manifest whose file is missing, with the regions that the file named when it was last
    /// read.
    public static func absent(_ name: String, regions: [BorderRegion] = []) -> ClientManifest {
        var manifest = ClientManifest(name: name, selector: ClientSelector())
        manifest.regions = regions
        manifest.isAbsent = true
        return manifest
    }

    /// The required hardware that the board does not have, in the order of the enumeration's cases.
    public func unmetRequirements(with present: Set<Requirement>) -> [Requirement] {
        Requirement.allCases.filter { requires.contains($0) && !present.contains($0) }
    }
}

/// Selects the processes to which a manifest applies: all members that are not nil must match; if all are nil, no
/// process matches.
public struct ClientSelector: Sendable, Equatable {
    /// The systemd unit of the process's cgroup.
    public var unit: String?
    public var executable: String?
    /// The name of the process as the kernel shows it, of at most `maximumCommandBytes`.
    ///
    /// A program can choose this name itself, so the name tells the programs of one user apart but is no protection.
    public var command: String?
    public var user: UInt32?
    public var group: UInt32?

    /// The largest number of bytes of a process name that the kernel keeps (TASK_COMM_LEN, less the final zero).
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

    /// Whether the selector can match a process; a unit, program or name of the process that could not be read counts
    /// as a match.
    func mayFit(_ identity: PeerIdentity) -> Bool {
        var known = identity
        known.unit = identity.unit ?? unit
        known.executable = identity.executable ?? executable
        known.command = identity.command ?? command
        return fits(known)
    }

    /// How specific the selector is: a systemd unit counts more than everything else together; then follow, in this
    /// order, the process's name, the executable, the user and the group.
    var specificity: Int {
        (unit == nil ? 0 : 16) + (command == nil ? 0 : 8) + (executable == nil ? 0 : 4) + (user == nil ? 0 : 2)
            + (group == nil ? 0 : 1)
    }
}
