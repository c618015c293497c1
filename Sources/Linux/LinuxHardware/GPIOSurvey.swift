/// The present state of one of this machine's GPIO chips, found without requesting a line.
public struct GPIOSurvey: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        /// The GPIO line's name; nil if the line has no name.
        public var name: String?
        /// The consumer name that the program that holds the line gave; nil if it gave none.
        public var consumer: String?
    }

    public var label: String
    public var lines: [Line]

    /// The state of every chip that this process may open.
    public static func all() -> [GPIOSurvey] {
        GPIOChip.paths.compactMap { path in
            guard let chip = try? GPIOChip(path: path) else { return nil }
            var lines: [Line] = []
            for offset in 0..<chip.lineCount {
                let line = chip.line(at: offset)
                lines.append(Line(name: line?.name, consumer: line?.consumer))
            }
            return GPIOSurvey(label: chip.label, lines: lines)
        }
    }
}
