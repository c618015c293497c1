public import Hardware

/// The name of an emulated board's output line: `unix:PATH#LINE`.
///
/// PATH is the socket of `sextant emulate receiver --lines PATH`, and LINE is one of the emulator's lines.
public struct EmulatedLineName: Sendable, Hashable {
    /// The line's whole name, `unix:PATH#LINE`.
    public var name: String
    /// The path of the emulator's socket.
    var path: String
    var line: String

    /// Parses the name of a line; nil if it does not begin with `unix:/` and so names a line of a GPIO chip.
    public init?(_ name: String) {
        guard name.hasPrefix("unix:/"), let hash = name.lastIndex(of: "#") else { return nil }
        self.name = name
        path = String(name[..<hash].dropFirst("unix:".count))
        line = String(name[hash...].dropFirst())
    }

    /// The names of the lines that the emulator can switch.
    static let lines = ["powerEnable", "backupSupply", "reset", "wake"]

    /// The error for using this line as an input; an emulated board has no inputs.
    public var isNoInput: LineError {
        LineError(
            .other, line: name,
            cause: "an emulated board has outputs alone; leave this line out of the board's file")
    }
}
