/// Learns which message a receiver sends last in an epoch, so that the epoch can be closed at that message.
///
/// Without this, an epoch is closed only when the next one begins. A kind of message is trusted to end every epoch once
/// it has ended two epochs in a row, until another kind does so. If a receiver sends GSV sentences only in every fifth
/// epoch, after all other messages, the last message of the other four epochs stays trusted: the GSV sentences go to
/// the next epoch, and no position waits for them.
struct CycleOrder {
    /// The kind of message that is trusted to end an epoch; nil until a kind is trusted.
    private var last: MessageKind?
    /// The kind of message that ended the most recent epoch.
    private var candidate: MessageKind?
    /// The kind of the open epoch's most recent message after which the epoch could end.
    private var latest: MessageKind?

    /// Notes a message after which the epoch can end.
    ///
    /// - Returns: Whether its kind is trusted to end an epoch.
    @inline(__always)
    mutating func heard(_ kind: MessageKind) -> Bool {
        latest = kind
        return kind == last
    }

    /// Notes that the messages from now on belong to another epoch.
    mutating func boundary() {
        guard let latest else { return }
        if candidate == latest { last = latest }
        candidate = latest
        self.latest = nil
    }
}
