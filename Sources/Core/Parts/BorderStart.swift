public import ClientProtocol

/// One start of a systemd unit, because the board crossed the border of a manifest's region or stayed inside.
///
/// It says nothing about where the region or the board is.
public struct BorderStart: Sendable, Equatable {
    public var client: String
    /// The region's name in the client's manifest.
    public var region: String
    public var event: RegionEventObject.Kind
    public var unit: String

    public init(client: String, region: String, event: RegionEventObject.Kind, unit: String) {
        self.client = client
        self.region = region
        self.event = event
        self.unit = unit
    }
}
