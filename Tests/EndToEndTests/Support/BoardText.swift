/// A board's file, for a test that changes one thing of it.
struct BoardText {
    var model = "neo-m8n"
    var device = "/dev/virtual"
    /// A number, or `'auto'`.
    var baud = "'auto'"
    /// `'typical'`, or what was measured.
    var draw = "'typical'"
    /// Turn, and what the board makes of each while nobody drives it: true for active.
    var outputs: [(role: String, isActive: Bool)] = [("powerEnable", false)]
    var backup = "battery"
    /// Whether it has an accelerometer.
    var sensesMotion = false
    /// Whether it has a magnetometer and an accelerometer, as `Turntable` has them.
    var hasCompass = false
    /// The emulator's socket for its lines, in place of GPIO chips.
    var lines: String?

    /// Writes it.
    ///
    /// - Returns: Its path.
    func write(in scratch: Scratch) throws -> String { try scratch.write(text, to: "board.json5") }

    private var text: String {
        var lines = outputs.map { role, isActive in
            let name = self.lines.map { "unix:\($0)#\(role)" } ?? "GPIO-\(role)"
            return "\(role): { name: '\(name)', safe: '\(isActive ? "active" : "inactive")' }"
        }
        if sensesMotion { lines.append("motionInterrupt: { name: 'GPIO22' }") }
        return """
            {
                receiver: {
                    model: '\(model)', device: '\(device)', baud: \(baud), supplyVolts: 3.3, draw: \(draw),
                },
                lines: { \(lines.joined(separator: ", ")) },
                backup: '\(backup)',
                \(hasCompass ? BoardText.compass : "")
                \(sensesMotion ? "motion: { sensor: 'lis3dh', milliwatts: 0.04 }," : "")
                host: 'zero-2w',
            }

            """
    }

    private static let compass = """
        magnetometer: { bus: '/dev/i2c-1', model: 'lis3mdl', x: 'right', y: 'forward' },
        accelerometer: { bus: '/dev/i2c-1', model: 'lis3dh', x: 'right', y: 'forward' },
        """
}
