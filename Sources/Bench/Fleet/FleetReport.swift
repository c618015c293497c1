/// The lines that summarize a fleet's run.
public struct FleetReport: Sendable {
    public let lines: [String]

    /// - Parameter kills: The times at which the broker was killed, in seconds after the start.
    public init(_ run: FleetRun, devices: Int, kills: [Double]) {
        let tally = run.tally
        var lines = [
            "fixes: \(tally.fixes)",
            "records published: \(tally.published), in \(run.repeated) messages again",
            "stored and acknowledged: \(tally.stored)",
            "never acknowledged: \(run.unacknowledged)",
            "bytes a fix, topic and payload: \(Self.text(Double(tally.bytes) / Double(max(1, tally.published))))",
        ]
        for (whose, isConnected) in [("connected", true), ("not connected then", false)] {
            guard let middle = tally.secondsToRow(0.5, whileConnected: isConnected),
                let late = tally.secondsToRow(0.99, whileConnected: isConnected)
            else { continue }
            lines.append(
                "seconds from fix to row and acknowledgement, of devices \(whose): "
                    + "half \(Self.text(middle)), 99 % \(Self.text(late))")
        }
        if let seconds = run.processorSeconds {
            lines.append("broker, seconds of a processor for all that is connected to it: \(Self.text(seconds))")
            lines.append("messages to and from the broker: \(run.messages)")
        }
        lines.append("connections: \(tally.connections)")
        for kill in kills {
            guard let storm = tally.reconnection(of: devices, from: Int(kill)) else {
                lines.append("after the kill at \(Int(kill)) s: not all connected again")
                continue
            }
            lines.append(
                "after the kill at \(Int(kill)) s: all \(devices) connected after \(storm.seconds) s, "
                    + "\(storm.most) in the densest second, \(Self.text(storm.mean)) on average")
        }
        self.lines = lines
    }

    /// A number with two decimals.
    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }
}
