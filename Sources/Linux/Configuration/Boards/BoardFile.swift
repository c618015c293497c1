public import Boards
internal import Hardware
internal import HostSleep
internal import Receivers
internal import SextantJSON

/// Reads a board's file, `boards/NAME/board.json5`.
public struct BoardFile {
    /// The folders of installed boards: the administrator's first, then the package's.
    public static let folders = ["/etc/sextant/boards", "/usr/share/sextant/boards"]

    private var file: ConfigurationSection
    /// The board's name or path as the user gave it; some error messages propose to add a part to it.
    private let given: String
    /// The host's model; nil if the file gives measured values of the host instead of a model.
    private var hostModel: HostModel?
    private var hostCosts: HostCosts?

    /// Reads and checks a board, which is given by name, by the path of its folder or file (with a slash), or as parts
    /// joined by `+`.
    ///
    /// A later part overrides an earlier one. A part's name is first looked up beside the file that names it, or beside
    /// the part given by a path, and then in `folders`.
    public static func board(
        at nameOrPath: String, in folders: [String] = BoardFile.folders
    ) throws(ConfigurationError) -> Board {
        var files: [String] = []
        return try board(at: nameOrPath, in: folders, dependingOn: &files)
    }

    /// Reads a board, and lists the files that it depends on.
    ///
    /// - Parameter files: On return, the path of every file that was looked for is appended, even of a missing one, and
    ///   even if this function throws. As long as none of these files changes, the board does not change.
    public static func board(
        at nameOrPath: String, in folders: [String] = BoardFile.folders, dependingOn files: inout [String]
    ) throws(ConfigurationError) -> Board {
        var parts = BoardParts(in: folders)
        defer { files += parts.files }
        try parts.read(nameOrPath)
        var reader = BoardFile(file: ConfigurationSection(parts.layers, path: parts.label), given: nameOrPath)
        return try reader.takeBoard(name: parts.name)
    }

    private mutating func takeBoard(name: String) throws(ConfigurationError) -> Board {
        // BoardParts has already used the keys `$schema`, `part` and `extends`; they are taken here so that `finish`
        // does not report them as unknown.
        for key in ["$schema", "part", "extends"] { _ = file.take(key) }
        guard var receiver = try file.takeSection("receiver"), receiver.has("model") else {
            throw lacks("receiver.model", "a board needs a receiver: add one, such as \(given)+neo-m8n-compass")
        }
        guard file.has("host") else {
            throw lacks("host", "a board needs a host: add one, such as zero-2w+\(given), or \(BoardFile.hosts)")
        }
        var board = Board(
            name: name, receiver: try BoardFile.takeReceiver(from: &receiver), lines: try takeLines(),
            backup: try takeBackup(), motion: try takeMotion(),
            sensors: try BoardFile.takeSensors(from: &file), host: try takeHost(),
            batteryWattHours: try file.takeNumber("batteryWattHours", in: 0.1...10_000, "watt hours"))
        board.hostModel = hostModel
        board.measuredHostCosts = hostCosts
        board.longestUnwatchedRest = try BoardFile.takeLongestUnwatchedRest(from: &file)
        board.bluetooth = try BoardFile.takeBluetooth(from: &file)
        board.hostSwitch = try BoardFile.takeHostSwitch(from: &file)
        try file.finish()
        try check(board)
        if let hostSwitch = board.hostSwitch { try BoardFile.check(hostSwitch, on: board, in: file) }
        return board
    }

    private mutating func takeBackup() throws(ConfigurationError) -> BackupSupply {
        guard let backup = try file.takeWord("backup", BackupSupply.self) else {
            throw file.missing("backup", "say what keeps the receiver's memory: \"battery\", \"hostLine\" or \"none\"")
        }
        return backup
    }

    private mutating func takeMotion() throws(ConfigurationError) -> MotionSensor? {
        guard var section = try file.takeSection("motion") else { return nil }
        guard let sensor = try section.takeString("sensor") else {
            throw section.missing("sensor", "name the accelerometer, such as sensor: \"lis3dh\"")
        }
        guard let milliwatts = try section.takeNumber("milliwatts", in: 0...1000, "milliwatts") else {
            throw section.missing("milliwatts", "give its draw while it watches, such as milliwatts: 0.04")
        }
        try section.finish()
        return MotionSensor(sensor: sensor, milliwatts: milliwatts)
    }

    /// Makes the error that a required key is in none of the board's files.
    private func lacks(_ key: String, _ mend: String) -> ConfigurationError {
        ConfigurationError(description: "\(file.path): \(key): missing; \(mend)")
    }

    private static let hosts =
        "host: one of " + HostModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        + ", or { idleMilliwatts, wakeMillijoules }"

    private mutating func takeHost() throws(ConfigurationError) -> HostPower {
        let expected = "one of \(HostModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), or an object"
        switch file.take("host") {
        case .string(let name)?:
            guard let model = HostModel(rawValue: name) else {
                throw file.wrong("host", .string(name), expected: expected)
            }
            hostModel = model
            return model.power
        case .object(let members)?:
            var section = file.section("host", members)
            return try takeHostPower(from: &section)
        case let value: throw file.wrong("host", value ?? .null, expected: expected)
        }
    }

    private mutating func takeHostPower(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> HostPower {
        hostModel = try section.takeWord("model", HostModel.self)
        let given = try section.takeNumber("idleMilliwatts", in: 0...50_000, "milliwatts")
        guard let idle = given ?? hostModel?.power.idleMilliwatts else {
            throw section.missing("idleMilliwatts", "give the host's draw with nothing to do")
        }
        let wake = try section.takeNumber("wakeMillijoules", in: 0...10_000, "millijoules")
        hostCosts = try BoardFile.takeHostCosts(from: &section, idleMilliwatts: idle)
        try section.finish()
        return HostPower(idleMilliwatts: idle, wakeMillijoules: wake ?? HostModel.assumedWakeMillijoules)
    }

    /// Reads how long the host takes to boot and to halt, and the energy that this costs; the file must give all of
    /// these keys or none.
    private static func takeHostCosts(
        from section: inout ConfigurationSection, idleMilliwatts: Double
    ) throws(ConfigurationError) -> HostCosts? {
        let keys = ["bootSeconds", "bootJoules", "stopSeconds", "stopMilliwatts", "haltedMilliwatts"]
        guard let first = keys.first(where: { section.has($0) }) else { return nil }
        if let missing = keys.first(where: { !section.has($0) }) {
            throw section.missing(
                missing, "it belongs to \(first); scripts/tune-host of Sextant's sources measures all of them")
        }
        let seconds = 0.1...3600.0
        guard let boot = try section.takeNumber("bootSeconds", in: seconds, "seconds"),
            let joules = try section.takeNumber("bootJoules", in: 0...100_000, "joules"),
            let stop = try section.takeNumber("stopSeconds", in: seconds, "seconds"),
            let stopping = try section.takeNumber("stopMilliwatts", in: 0...50_000, "milliwatts"),
            let halted = try section.takeNumber("haltedMilliwatts", in: 0...50_000, "milliwatts")
        else { return nil }
        return HostCosts(
            bootSeconds: boot, bootJoules: joules, stopSeconds: stop, stopMilliwatts: stopping,
            haltedMilliwatts: halted, idleMilliwatts: idleMilliwatts)
    }

    /// Throws if keys contradict one another: the backup supply and its GPIO line, or the motion sensor and its
    /// interrupt line.
    private func check(_ board: Board) throws(ConfigurationError) {
        if board.backup == .hostLine, board.lines[.backupSupply] == nil {
            throw file.missing("lines.backupSupply", "backup is \"hostLine\", so say which line that is")
        }
        if board.backup != .hostLine, board.lines[.backupSupply] != nil {
            let expected = "\"hostLine\", since lines.backupSupply is given"
            throw file.wrong("backup", .string(board.backup.rawValue), expected: expected)
        }
        if board.motion != nil, board.lines[.motionInterrupt] == nil {
            throw file.missing("lines.motionInterrupt", "motion is given, so say which line its interrupt is on")
        }
        if board.motion == nil, board.lines[.motionInterrupt] != nil {
            throw file.missing("motion", "lines.motionInterrupt is given, so say which sensor drives it")
        }
        if board.motion == nil, board.sensors?.motion != nil {
            throw file.missing("motion", "accelerometer.motion is given, so say that it drives the interrupt's line")
        }
    }
}

extension BoardFile {
    private mutating func takeLines() throws(ConfigurationError) -> [LineRole: BoardLine] {
        guard var section = try file.takeSection("lines") else { return [:] }
        var lines: [LineRole: BoardLine] = [:]
        for role in LineRole.allCases {
            guard var inner = try section.takeSection(role.key) else { continue }
            let line = try BoardFile.takeLine(role, from: &inner)
            if let other = LineRole.allCases.first(where: { lines[$0]?.name == line.name }) {
                let file = section.file(of: "\(other.key).name")
                let place = file == section.file(of: "\(role.key).name") ? "" : ", in \(file)"
                let expected = "another line: \(other.key) has this one\(place)"
                throw inner.wrong("name", .string(line.name), expected: expected)
            }
            lines[role] = line
        }
        try section.finish()
        return lines
    }

    private static func takeLine(
        _ role: LineRole, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> BoardLine {
        guard let name = try section.takeString("name") else {
            throw section.missing("name", "name the host's line, such as name: \"GPIO17\"")
        }
        var line = BoardLine(
            name: name, activeLow: try section.takeBool("activeLow") ?? false, safe: nil, bias: .asIs)
        if role.isOutput {
            line.safe = try section.takeWord("safe", SafeLevel.self)
            guard line.safe != nil else {
                throw section.missing(
                    "safe",
                    "give the level that the board's resistor sets while no program drives the line: "
                        + "\"inactive\" or \"active\"")
            }
        } else {
            line.bias = try section.takeWord("bias", LineBias.self) ?? .asIs
        }
        try section.finish()
        return line
    }
}
