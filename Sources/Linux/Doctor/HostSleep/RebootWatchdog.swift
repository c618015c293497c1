/// The time after which the hardware's watchdog ends a shutdown that hangs: systemd's setting `RebootWatchdogSec=`.
struct RebootWatchdog: Sendable, Equatable {
    /// The time in seconds after which the watchdog ends a hanging shutdown; nil if the watchdog is off, or if the
    /// value cannot be read.
    var seconds: Double?
    /// The file and line that set `RebootWatchdogSec=`; nil if no file sets it, so that systemd's default applies.
    var place: FilePosition?

    /// The longest time, in seconds, for which a hanging shutdown is acceptable on an unattended board.
    static let longest = 60.0

    /// The default of systemd in seconds: systemd-system.conf(5), `RebootWatchdogSec=`.
    private static let `default` = 600.0
    private static let key = "RebootWatchdogSec"
    /// The folders of systemd's configuration; a folder overrides those after it.
    private static let folders = ["/etc/systemd", "/run/systemd", "/usr/local/lib/systemd", "/usr/lib/systemd"]

    init(_ files: some SystemFiles) {
        seconds = RebootWatchdog.default
        for path in RebootWatchdog.paths(files) {
            for (number, line) in (files.text(of: path) ?? "").numberedLines {
                let (key, value) = line.trimmed.parted(at: "=")
                guard let value, key.trimmed == RebootWatchdog.key else { continue }
                // A line with an empty value restores systemd's default: systemd.syntax(7).
                let text = value.trimmed
                seconds = text.isEmpty ? RebootWatchdog.default : RebootWatchdog.seconds(text)
                place = FilePosition(path, line: number)
            }
        }
    }

    /// The configuration files in the order in which systemd reads them: system.conf of the first folder that has one,
    /// then all drop-ins sorted by name.
    ///
    /// A drop-in hides drop-ins of the same name in folders of lower precedence.
    private static func paths(_ files: some SystemFiles) -> [String] {
        let main = folders.map { "\($0)/system.conf" }.first { files.exists($0) }
        var dropIns: [String: String] = [:]
        for folder in folders.reversed() {
            for name in files.list("\(folder)/system.conf.d") where name.hasSuffix(".conf") {
                dropIns[name] = "\(folder)/system.conf.d/\(name)"
            }
        }
        return [main].compactMap { $0 } + dropIns.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Parses a time span in the syntax of systemd.time(7), such as `1min 30s`, into seconds; nil for `off`, `default`,
    /// 0 and an invalid span.
    private static func seconds(_ text: String) -> Double? {
        var sum = 0.0
        var rest = text[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { break }
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
            let unit = rest.prefix(while: \.isLetter)
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            sum += number * factor
        }
        return sum > 0 ? sum : nil
    }

    private static let units: [String: Double] = [
        "": 1, "s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 0.001, "msec": 0.001, "us": 1e-6, "usec": 1e-6,
        "m": 60, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600, "hours": 3600,
        "d": 86_400, "day": 86_400, "days": 86_400, "w": 604_800, "week": 604_800, "weeks": 604_800,
    ]
}
