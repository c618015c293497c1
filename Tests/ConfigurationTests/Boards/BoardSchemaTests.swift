import Boards
import Configuration
import Foundation
import SextantJSON
import Testing

/// A node of `boards/schema.json`, with what its references lead to.
private struct SchemaNode {
    let keywords: [String: JSONValue]

    static let root = SchemaNode(document)

    private static let document: JSONValue = {
        let bytes = FileManager.default.contents(atPath: "\(BoardFolders.path)/schema.json") ?? Data()
        return (try? JSONValue(parsing: Array(bytes))) ?? .null
    }()

    init(_ value: JSONValue) {
        var keywords = value.members
        if case .string(let reference)? = keywords["$ref"] {
            let target = reference.split(separator: "/").dropFirst().reduce(Self.document) {
                $0.members["\($1)"] ?? .null
            }
            keywords = target.members
        }
        self.keywords = keywords
    }

    var branches: [SchemaNode] { keywords["anyOf"]?.elements.map(SchemaNode.init) ?? [self] }
    var properties: [String: SchemaNode] { keywords["properties"]?.members.mapValues(SchemaNode.init) ?? [:] }
    var types: [String] { keywords["type"].map { $0.elements.isEmpty ? [$0.text] : $0.elements.map(\.text) } ?? [] }

    /// The words and nulls that it lists.
    var words: [JSONValue] { keywords["enum"]?.elements ?? keywords["const"].map { [$0] } ?? [] }

    var range: ClosedRange<Double>? {
        guard case .number(let lower)? = keywords["minimum"], case .number(let upper)? = keywords["maximum"] else {
            return nil
        }
        return lower...upper
    }

    func allows(_ value: JSONValue) -> Bool { branches.contains { $0.allowsAlone(value) } }

    private func allowsAlone(_ value: JSONValue) -> Bool {
        if !words.isEmpty { return words.contains(value) }
        switch value {
        case .null: return types.contains("null")
        case .bool: return types.contains("boolean")
        case .number(let number):
            let isKind = types.contains("number") || types.contains("integer") && number == number.rounded()
            return isKind && range?.contains(number) == true
        case .string(let text): return types.contains("string") && !text.isEmpty
        case .array(let elements):
            let item = keywords["items"].map(SchemaNode.init)
            return types.contains("array") && elements.allSatisfy { item?.allows($0) == true }
        case .object(let members):
            if case .number(let most)? = keywords["maxProperties"], Double(members.count) > most { return false }
            return types.contains("object") && members.allSatisfy { properties[$0]?.allows($1) == true }
        }
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
    fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }

    /// With another value at a path; nil where there is no object to put it into.
    fileprivate func putting(_ value: JSONValue?, at path: [String]) -> JSONValue? {
        guard case .object(var members) = self, let key = path.first else { return nil }
        if path.count == 1 {
            members[key] = value
        } else {
            guard let inner = members[key]?.putting(value, at: Array(path.dropFirst())) else { return nil }
            members[key] = inner
        }
        return .object(members)
    }

    fileprivate var json: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\"\($0)\":\($1.json)" }.joined(separator: ","))}"
        case .null, .bool, .number: written
        }
    }
}

@Suite("boards/schema.json")
struct BoardSchemaTests {
    /// A key of the schema, by the way to it.
    struct Key: Sendable, CustomStringConvertible {
        var path: [String]
        var description: String { path.joined(separator: ".") }
    }

    static let keys = keys(of: .root, at: [])

    /// Of these one of several must be there, so that null is a matter of the others.
    private static let keysOfChoices: Set = [
        "receiver.draw.milliwatts", "receiver.draw.milliamps", "receiver.draw.milliwatts.cyclic",
        "receiver.draw.milliamps.cyclic",
    ]

    /// Read before files are merged, and tested with the parts.
    private static let keysOfFiles: Set = ["$schema", "part", "extends"]

    private static func keys(of node: SchemaNode, at path: [String]) -> [Key] {
        node.branches.flatMap { branch in
            branch.properties.sorted { $0.key < $1.key }.flatMap { key, inner in
                [Key(path: path + [key])] + keys(of: inner, at: path + [key])
            }
        }
    }

    private static func node(_ key: Key) -> SchemaNode {
        key.path.reduce(SchemaNode.root) { node, name in
            node.branches.lazy.compactMap { $0.properties[name] }.first ?? SchemaNode(.null)
        }
    }

    // MARK: Boards to put a value into

    private static let states =
        "{ acquiring: 30, tracking: 20, cyclic: 10, softwareSleep: 1, hardwareSleep: 0 }"
    private static let whole = """
        {
            receiver: {
                model: "neo-m8n", device: "/dev/x", baud: 9600, supplyVolts: 3.3, draw: { milliwatts: \(states) },
                startSeconds: {
                    boot: 1, hot: 0.1, hotNineInTen: 600, warm: 600, warmNineInTen: 600, cold: 0.1, coldNineInTen: 600,
                    ephemerisFades: 0, ephemerisGone: 172800,
                },
            },
            lines: {
                powerEnable: { name: "A", activeLow: false, safe: "inactive" },
                backupSupply: { name: "B", activeLow: false, safe: "active" },
                reset: { name: "C", activeLow: false, safe: "inactive" },
                wake: { name: "D", activeLow: false, safe: "inactive" },
                pulsePerSecond: { name: "E", activeLow: false, bias: "asIs" },
                motionInterrupt: { name: "F", activeLow: false, bias: "asIs" },
                indicator: { name: "G", activeLow: false, safe: "inactive" },
            },
            backup: "hostLine",
            motion: { sensor: "lis3dh", milliwatts: 0.02 },
            magnetometer: {
                bus: "bus", model: "mmc5603", address: 48, x: "right", y: "forward", turnDegrees: 0, polarity: "afterSet",
            },
            accelerometer: {
                bus: "bus", model: "auto", address: "auto", x: "right", y: "forward", turnDegrees: 0,
                motion: { thresholdMetresPerSecondSquared: 1, durationSeconds: 0 },
            },
            host: {
                model: "zero-2w", idleMilliwatts: 600, wakeMillijoules: 1, bootSeconds: 25, bootJoules: 21,
                stopSeconds: 8, stopMilliwatts: 900, haltedMilliwatts: 155,
            },
            batteryWattHours: 18,
            power: { probe: 300 },
            bluetooth: { power: true, eddystone: false },
            hostSwitch: { model: "pijuice", bus: "bus", address: 20, motionWake: false },
        }
        """

    /// What is changed in the whole board, so that a value may stand that others forbid.
    private static let changes: [[(path: [String], value: JSONValue?)]] = [
        [],
        [(["receiver", "draw"], .object(["milliamps": drawn]))],
        [(["receiver", "draw"], .string("typical"))],
        [(["receiver", "startSeconds", "warm"], .number(0.1))],
        [(["lines", "backupSupply"], nil), (["backup"], .string("battery"))],
        [(["lines", "motionInterrupt"], nil), (["motion"], nil), (["accelerometer", "motion"], nil)],
        [(["lines"], nil), (["backup"], .string("none")), (["motion"], nil), (["accelerometer", "motion"], nil)],
        [(["magnetometer", "x"], .string("up")), (["accelerometer", "x"], .string("up"))],
        [(["magnetometer", "y"], .string("up")), (["accelerometer", "y"], .string("up"))],
        [(["magnetometer", "polarity"], nil)],
        [(["magnetometer"], nil), (["accelerometer", "bus"], .string("text"))],
        [(["accelerometer"], nil)],
        [
            (["hostSwitch", "model"], .string("rtc")), (["hostSwitch", "bus"], nil), (["hostSwitch", "address"], nil),
        ],
    ]

    private static let drawn = (try? JSONValue(parsing: Array(states.utf8), allowsJSON5: true)) ?? .null

    private static let boards: [JSONValue] = changes.compactMap { changes in
        changes.reduce(try? JSONValue(parsing: Array(whole.utf8), allowsJSON5: true)) { board, change in
            board?.putting(change.value, at: change.path)
        }
    }

    /// Why the reader does not take a board.
    private static func problem(_ board: JSONValue) -> String? {
        do {
            _ = try readFile(board.json) { try BoardFile.board(at: $0, in: []) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Whether the reader takes the value in one of the boards.
    private static func isRead(_ value: JSONValue, at key: Key, in boards: [JSONValue] = boards) -> Bool {
        boards.contains { $0.putting(value, at: key.path).map { problem($0) == nil } ?? false }
    }

    /// Values at the limits of a node, beyond them, and of every other kind.
    private static func trials(_ node: SchemaNode) -> [JSONValue] {
        var trials: [JSONValue] = [.null, .bool(true), .string("text"), .string(""), .number(-1e9), .array([])]
        for branch in node.branches {
            trials += branch.words
            guard let range = branch.range else { continue }
            let step = branch.types.contains("integer") ? 1 : 0.001
            trials += [range.lowerBound - step, range.lowerBound, range.upperBound, range.upperBound + step].map {
                .number($0)
            }
            if branch.types.contains("integer") { trials.append(.number(range.lowerBound + 0.5)) }
        }
        return trials
    }

    // MARK: Tests

    @Test func `the boards used for trying values are valid`() {
        #expect(Self.boards.count == Self.changes.count)
        for board in Self.boards { #expect(Self.problem(board) == nil) }
        #expect(Self.keys.count > 60)
    }

    @Test(arguments: keys)
    func `the schema and the reader accept the same values for each key`(key: Key) {
        guard let first = key.path.first, !Self.keysOfFiles.contains(first) else { return }
        let node = Self.node(key)
        let trials = Self.trials(node).filter { $0 != .null || !Self.keysOfChoices.contains(key.description) }
        let allowed = trials.filter(node.allows)
        for value in allowed { #expect(Self.isRead(value, at: key), "\(key): \(value.json)") }
        // What is refused is tried in the whole board, and in the first one that reads an allowed value of this key.
        let reading = Self.boards.first { board in allowed.contains { Self.isRead($0, at: key, in: [board]) } }
        let boards = [Self.boards.first, reading].compactMap { $0 }
        for value in trials where !node.allows(value) {
            #expect(!Self.isRead(value, at: key, in: boards), "\(key): \(value.json)")
        }
    }

    @Test(arguments: [Key(path: [])] + keys)
    func `the schema and the reader know the same keys for each object`(key: Key) throws {
        let known = Self.node(key).branches.filter { $0.types.contains("object") }.map { Set($0.properties.keys) }
        guard let keys = known.first else { return }
        // A draw in two units is refused for that.
        let isDraw = key.description == "receiver.draw"
        let path = isDraw ? key.path : key.path + ["stranger"]
        let value: JSONValue = isDraw ? .object(["stranger": .bool(true)]) : .bool(true)
        let stranger = try #require(Self.boards.lazy.compactMap { $0.putting(value, at: path) }.first)
        let problem = try #require(Self.problem(stranger))
        let list = try #require(problem.components(separatedBy: "the keys here are ").last)
        #expect(Set(list.components(separatedBy: ", ")) == keys, "\(problem)")
    }

    @Test(arguments: BoardFolders.all)
    func `every board file matches the schema`(name: String) {
        let members = BoardFolders.members(of: name)
        #expect(SchemaNode.root.allows(.object(members)))
        #expect(members["$schema"] == .string("../schema.json"))
    }

    @Test(arguments: keys)
    func `every key has a description, and an example unless it lists its words`(key: Key) {
        let node = Self.node(key)
        #expect(node.keywords["description"]?.text.hasSuffix(".") == true)
        for branch in node.branches where branch.types.contains(where: ["string", "number", "integer"].contains) {
            #expect(branch.keywords["examples"]?.elements.isEmpty == false)
        }
    }

    @Test(arguments: keys)
    func `every number's key, or the object it is in, names its unit`(key: Key) {
        let isNumber = Self.node(key).branches.contains { $0.range != nil }
        // The baud is a unit, an address and a part of the time have none, and the probe's stands in what is said of it.
        guard isNumber, !["baud", "address", "probe", "rangingDuty"].contains(key.path.last) else { return }
        let units = [
            "Volts", "illiwatts", "illiamps", "Millijoules", "Degrees", "Seconds", "MetresPerSecondSquared",
            "WattHours", "Joules",
        ]
        #expect(key.path.suffix(2).contains { name in units.contains { name.hasSuffix($0) } })
    }
}
