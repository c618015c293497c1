/// The host's settings that a receiver's behaviour depends on.
struct BehaviourSettings: Sendable {
    var link = ReceiverLink.uart
    /// The port's present rate in bits per second; nil where the link has no rate.
    var baud: Int?
    /// The rate that the board file wants, in bits per second; nil leaves the present one.
    var wantedBaud: Int?
    var skyInterval: UInt8
    var cyclicPeriodSeconds: Int
    var lines: Set<LineRole>

    /// The rate to change to, in bits per second; nil where the present one stays.
    var raise: Int? { baud == nil || wantedBaud == baud ? nil : wantedBaud }
    /// The rate in bits per second once the receiver is configured; nil where the link has no rate.
    var finalBaud: Int? { raise ?? baud }
}
