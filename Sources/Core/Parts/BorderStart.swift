public import ClientVocabulary

/// A request to start a systemd unit, because the board entered, left or stayed inside a region in a client's manifest.
///
/// The request does not contain the position of the region or of the board.
public struct BorderStart: Sendable, Equatable {
    public var client: String
    /// The region's name in the client's manifest.
    public var region: String
    public var event: TransitionName
    public var unit: String

    public init(client: String, region: String, event: TransitionName, unit: String) {
        self.client = client
        self.region = region
        self.event = event
        self.unit = unit
    }
}
