/// The manifests of all clients that have one, sorted by name; if two have the same name, only the first of them is
/// kept.
public struct ClientManifests: Sendable, Equatable, RandomAccessCollection {
    private let manifests: [ClientManifest]
    /// The manifests, those with the most specific selector first.
    private let bySpecificity: [ClientManifest]

    public init(_ given: [ClientManifest]) {
        var manifests: [ClientManifest] = []
        for manifest in given where !manifests.contains(where: { $0.name == manifest.name }) {
            manifests.append(manifest)
        }
        manifests.sort { $0.name < $1.name }
        self.manifests = manifests
        bySpecificity = manifests.sorted {
            ($1.selector.specificity, $0.name) < ($0.selector.specificity, $1.name)
        }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { manifests.count }
    public subscript(position: Int) -> ClientManifest { manifests[position] }

    /// The manifest of the client with this name; nil if no manifest has the name.
    public subscript(name: String) -> ClientManifest? {
        manifests.index(named: name) { $0.name }.map { manifests[$0] }
    }

    /// The manifest with the most specific selector that matches a process; among equally specific ones, the first by
    /// name.
    public func client(for identity: PeerIdentity) -> ClientManifest? {
        bySpecificity.first { $0.selector.fits(identity) }
    }

    /// The manifests that can apply to a process whose program, name or unit could not be read, the most specific
    /// first.
    ///
    /// The list ends with the first manifest that certainly matches.
    public func candidates(for identity: PeerIdentity) -> [ClientManifest] {
        let end = bySpecificity.firstIndex { $0.selector.fits(identity) }.map { $0 + 1 } ?? bySpecificity.count
        return bySpecificity[..<end].filter { $0.selector.mayFit(identity) }
    }
}
