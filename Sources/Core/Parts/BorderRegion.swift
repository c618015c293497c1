public import ClientProtocol
public import Monitors

/// A region of a client's manifest, at whose border the daemon starts systemd units, or tells the client what to publish.
///
/// The daemon watches it for the client, in the same way as a region that the client asked for.
public struct BorderRegion: Sendable, Equatable {
    /// The name, which no other region of the manifest has.
    public var name: String
    public var shape: RegionShape
    /// Seconds inside the region after which `onDwell` is started and a dwell is told, once a stay; nil for neither.
    public var dwell: Double?
    /// The systemd unit to start at an entry; nil for none.
    public var onEnter: String?
    /// The systemd unit to start at an exit; nil for none.
    public var onExit: String?
    /// The systemd unit to start at a dwell; nil for none.
    public var onDwell: String?
    /// The MQTT topic that the region's events are for; nil where the client is told of none.
    public var topic: String?

    public init(name: String, shape: RegionShape) {
        self.name = name
        self.shape = shape
    }

    /// The unit that an event starts; nil for none.
    public func unit(for event: RegionEventObject.Kind) -> String? {
        switch event {
        case .enter: onEnter
        case .exit: onExit
        case .dwell: onDwell
        case .determined: nil
        }
    }
}
