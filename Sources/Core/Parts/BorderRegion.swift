public import ClientVocabulary
public import Monitors

/// A region in a client's manifest, with the systemd units that its events start and the MQTT topic of its events.
///
/// The daemon watches the region in the same way as a region that the client itself asked for.
public struct BorderRegion: Sendable, Equatable {
    /// The region's name, unique in the manifest.
    public var name: String
    public var shape: RegionShape
    /// Seconds that the board must stay in the region for a dwell event, once per stay; nil for no dwell events.
    public var dwell: Double?
    /// The systemd unit to start when the board enters the region; nil for none.
    public var onEnter: String?
    /// The systemd unit to start when the board leaves the region; nil for none.
    public var onExit: String?
    /// The systemd unit to start when the board has stayed inside the region for `dwell` seconds; nil for none.
    public var onDwell: String?
    /// The MQTT topic of the region's events; nil if they are neither published nor sent to the client.
    public var topic: String?

    public init(name: String, shape: RegionShape) {
        self.name = name
        self.shape = shape
    }

    /// The systemd unit that an event starts; nil for none.
    public func unit(for event: TransitionName) -> String? {
        switch event {
        case .enter: onEnter
        case .exit: onExit
        case .dwell: onDwell
        case .determined: nil
        }
    }
}
