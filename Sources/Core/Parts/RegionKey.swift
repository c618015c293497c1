/// A region's name, which is unique among the regions of its client.
public struct RegionKey: Sendable, Hashable, Comparable {
    public var identifier: String
    public var monitor: String?
    /// Whether the client's manifest declares the region.
    public var isOfManifest: Bool

    /// The prefix of the stored names of regions that manifests declare.
    private static let manifestPrefix = "border/"

    public init(identifier: String, monitor: String?, isOfManifest: Bool = false) {
        self.identifier = identifier
        self.monitor = monitor
        self.isOfManifest = isOfManifest
    }

    /// Whether a region with this stored name is declared by a manifest.
    public static func isOfManifest(_ name: String) -> Bool { name.hasPrefix(manifestPrefix) }

    /// The name under which the region is stored; its prefix tells plain regions, the conditions of a `CLMonitor` and
    /// the regions in manifests apart.
    public var name: String {
        guard !isOfManifest else { return RegionKey.manifestPrefix + identifier }
        guard let monitor else { return "region/\(identifier)" }
        return "monitor/\(monitor.utf8.count)/\(monitor)/\(identifier)"
    }

    public static func < (left: RegionKey, right: RegionKey) -> Bool {
        guard left.isOfManifest == right.isOfManifest else { return right.isOfManifest }
        guard (left.monitor == nil) == (right.monitor == nil) else { return left.monitor == nil }
        return (left.monitor ?? "", left.identifier) < (right.monitor ?? "", right.identifier)
    }
}
