public import ClientProtocol
public import Monitors
public import SextantUnits

/// A region of a client's manifest, at whose border the daemon starts systemd units.
///
/// The daemon watches it for the client, in the same way as a region that the client asked for.
public struct BorderRegion: Sendable, Equatable {
    /// The name, which no other region of the manifest has.
    public var name: String
    public var shape: RegionShape
    /// Seconds inside the region after which `onDwell` is started, once a stay; nil where `onDwell` is nil.
    public var dwell: Double?
    /// The systemd unit to start at an entry; nil for none.
    public var onEnter: String?
    /// The systemd unit to start at an exit; nil for none.
    public var onExit: String?
    /// The systemd unit to start at a dwell; nil for none.
    public var onDwell: String?

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

    /// The registration that watches the region; its state is not known yet.
    public var registration: RegionRegistration {
        var registration = RegionRegistration(
            RegionRequest(
                identifier: name, shape, notifyOnEntry: onEnter != nil, notifyOnExit: onExit != nil, dwell: dwell))
        registration.isOfManifest = true
        return registration
    }
}

/// The form in which a flight recording stores a manifest's region: the length (4 bytes) and the record of its
/// registration, then the units for entry, exit and dwell; an empty text stands for a unit that is not set.
extension BorderRegion {
    public func write(to record: inout RecordWriter) {
        let bytes = registration.encode()
        record.write(UInt32(clamping: bytes.count))
        record.write(raw: bytes)
        for unit in [onEnter, onExit, onDwell] { record.write(unit ?? "") }
    }

    /// Reads what `write` wrote; nil where it is damaged.
    public init?(from record: inout RecordReader) {
        guard let count = record.integer(UInt32.self), let bytes = record.raw(Int(clamping: count)),
            let request = RegionRegistration.decode(Array(bytes).span)?.request, let shape = request.shape,
            let onEnter = record.text(), let onExit = record.text(), let onDwell = record.text()
        else { return nil }
        self.init(name: request.identifier, shape: shape)
        dwell = request.dwell
        self.onEnter = onEnter.isEmpty ? nil : onEnter
        self.onExit = onExit.isEmpty ? nil : onExit
        self.onDwell = onDwell.isEmpty ? nil : onDwell
    }
}
