import BenchControl
import Foundation
import Glibc
import Testing

/// `sextant clients`, `agent`, `services` and `privacy`, and other commands where they may not know the location.
@Suite("Authorization by command")
struct VirtualAuthorizationCommandTests {
    private typealias Daemon = VirtualDaemon<SyntheticDevice>

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A daemon, at rest until time passes, with a receiver that gets a fix at once when it does.
    private func start(_ admission: Admission) async throws -> Daemon {
        try await VirtualDaemon.start(
            in: scratch, SyntheticDevice(), utc: Int64(SyntheticRecording.startTime), admission: admission)
    }

    /// A daemon whose operator is whoever runs the tests, and `tracker`, the command under another name.
    private func start(tracker members: String = "purpose: { whenInUse: 'Shows the boat.' }") async throws -> Daemon {
        let admission = try Admission.everybody(in: scratch)
        let path = try await scratch.program(Built.sextant, named: "tracker")
        try admission.writeManifest("tracker", "{ executable: '\(path)', \(members) }")
        return try await start(admission)
    }

    private func tracker(_ arguments: [String], _ daemon: Daemon) throws -> Program {
        try daemon.start(arguments, as: scratch.path("tracker"))
    }

    private static let waits =
        "sextant: tracker is not authorized yet; waiting for an answer: sextant agent, or sextant clients allow tracker"

    // MARK: clients

    @Test func `the clients command prints a table, and names each problem with its remedy`() async throws {
        let daemon = try await start()
        let locate = try tracker(["locate"], daemon)
        try await locate.logged("waiting for an answer")
        try await ClientList.client("tracker", at: daemon.socket) { $0.text("waiting") == "whenInUse" }
        // A connection of this test that is closed stays open until the last program has begun that another test starts
        // just then: a copy of it is that program's until then.
        let (output, lines) = try await eventually("the command's own connection alone", every: .milliseconds(50)) {
            let list = try await daemon.finish(["clients"])
            #expect(list.status == 0)
            let output = list.program.outputLines
            let lines = output.map { $0.split(separator: "  ").map { $0.trimmingCharacters(in: [" "]) } }
            let own = ["tests", "user \(geteuid())", "always", "full", "yes", "1", "-"]
            return lines.contains(own) ? (output, lines) : nil
        }
        #expect(lines[0] == ["client", "who", "may know", "accuracy", "in use", "connections", "waits for"])
        #expect(lines.contains(["gpsd", "the gpsd port, unnamed", "always", "full", "no", "0", "-"]))
        let question = ["not asked yet", "full", "yes", "1", "an answer: while in use?"]
        #expect(lines.contains(["tracker", scratch.path("tracker")] + question))
        #expect(output.last?.hasPrefix("tracker: its question waits and no agent") == true)
        let json = try await daemon.finish(["clients", "--json"])
        let names = json.program.outputLines.map { JSON(line: $0)?.text("name") }
        #expect(names == ["gpsd", "tests", "tracker"])
        locate.signal(SIGKILL)
    }

    @Test(arguments: [
        (["allow", "tracker"], "tracker: while in use, full accuracy"),
        (["always", "tracker"], "tracker: always, full accuracy"),
        (["deny", "tracker"], "tracker: denied, full accuracy"),
        (["keep", "tracker"], "tracker: not asked yet, full accuracy"),
        (["reset", "tracker"], "tracker: not asked yet, full accuracy"),
        (["reduce", "tracker"], "tracker: not asked yet, reduced accuracy"),
        (["full", "tracker"], "tracker: not asked yet, full accuracy"),
        (
            ["wake", "off", "tracker"],
            "tracker: not asked yet, full accuracy, is not started for events while it does not run"
        ),
        (["wake", "on", "tracker"], "tracker: not asked yet, full accuracy"),
    ])
    func `a decision prints the client's new status`(command: [String], line: String) async throws {
        let daemon = try await start()
        let decision = try await daemon.finish(["clients"] + command)
        // Another client that the denied one's program fits, and who is not known at the gpsd port.
        let others =
            "sextant: tracker: the same programs may still be told where they fit another client: gpsd (who is not "
            + "known at the gpsd port: another host, a container); tests (user \(geteuid())); deny those too, or give "
            + "its programs a user of their own"
        #expect(decision.status == 0)
        #expect(decision.program.errorLines == (command[0] == "deny" ? [others] : []))
        #expect(decision.program.outputLines == [line])
    }

    @Test func `a decision that cannot take effect is an error with the reason`() async throws {
        let daemon = try await start()
        let once = try await daemon.finish(["clients", "once", "tracker"])
        #expect(once.status == 75)
        #expect(
            once.program.errorLines == [
                "sextant: tracker is not in use, and once is for the use in progress; start it first, or allow it for good"
            ])
        let unknown = try await daemon.finish(["clients", "allow", "tracer\""])
        #expect(unknown.status == 65 && unknown.program.output.isEmpty)
        #expect(
            unknown.program.errorLines == [
                "sextant: no client has a manifest named \"tracer\"\"; sextant clients lists those that have"
            ])
    }

    @Test func `a final rule in the policy overrides an operator's decision`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try admission.writeManifest("tracker", "{ executable: '/bin/tracker' }")
        try admission.writePolicy("{ clients: { tracker: { authorization: 'denied', final: true } } }")
        let daemon = try await start(admission)
        let allow = try await daemon.finish(["clients", "allow", "tracker"])
        #expect(allow.status == 77)
        #expect(
            allow.program.errorLines == [
                "sextant: tracker: a final rule of /etc/sextant/policy.json5 overrides the decision; change the rule"
            ])
    }

    // MARK: agent

    /// An agent with a pipe for what is typed.
    private func agent(_ daemon: Daemon) throws -> (program: Program, keyboard: FileHandle) {
        let path = scratch.newPath("keyboard")
        guard unsafe mkfifo(path, 0o600) == 0, let keyboard = FileHandle(forUpdatingAtPath: path) else {
            throw Late(description: "\(path): no pipe: errno \(errno)")
        }
        let program = try Program(Built.sextant, ["agent", "--socket", daemon.socket], in: scratch, input: path)
        return (program, keyboard)
    }

    @Test func `an agent shows the question with its purpose text, and passes on the answer`() async throws {
        let daemon = try await start()
        let (agent, keyboard) = try agent(daemon)
        try await agent.logged("Questions come here")
        let locate = try tracker(["locate", "--json"], daemon)
        try await agent.line("the question") { $0 == "allow, once or deny?" }
        #expect(
            agent.outputLines == [
                "tracker asks to know where this board is while the client is in use:", "    Shows the boat.",
                "allow, once or deny?",
            ])
        keyboard.write(Data("yes\n".utf8))
        try await agent.logged("answer with allow, once or deny")
        #expect(locate.isRunning)
        keyboard.write(Data("a\n".utf8))
        #expect(try await daemon.letTimePass(untilEndOf: locate) == 0)
        #expect(JSON(line: locate.outputLines[0])?.number("latitude") != nil)
        #expect(locate.errorLines == [Self.waits])
        agent.signal(SIGINT)
        #expect(try await agent.status() == 0)
        #expect(agent.outputLines.last == "tracker: allow")
    }

    @Test func `an agent waiting for an answer is told when the question was answered elsewhere`() async throws {
        let daemon = try await start()
        let (agent, keyboard) = try agent(daemon)
        let locate = try tracker(["locate"], daemon)
        try await agent.line("the question") { $0 == "allow, once or deny?" }
        #expect(try await daemon.finish(["clients", "deny", "tracker"]).status == 0)
        try await agent.line("its end") { $0 == "tracker no longer asks: it was answered elsewhere, or it left." }
        #expect(try await locate.status() == 77)
        #expect(
            locate.errorLines == [
                Self.waits,
                "sextant: tracker is denied locations; an operator can allow it: sextant clients allow tracker",
            ])
        keyboard.closeFile()
        #expect(try await agent.status() == 0)
    }

    @Test func `an agent gives the answers in its input file, and ends with the file`() async throws {
        let daemon = try await start()
        let empty = try await Program.sextant(["agent", "--socket", daemon.socket], in: scratch)
        #expect(empty.status == 0)
        let answers = try scratch.write("deny", to: "answers")
        let agent = try Program(Built.sextant, ["agent", "--socket", daemon.socket], in: scratch, input: answers)
        try await agent.logged("Questions come here")
        let locate = try tracker(["locate"], daemon)
        #expect(try await agent.status() == 0)
        #expect(try await locate.status() == 77)
        #expect(agent.outputLines.last == "tracker: deny")
    }

    @Test func `agent --answer answers by itself, without asking`() async throws {
        let daemon = try await start()
        let agent = try daemon.start(["agent", "--answer", "keep", "--answer", "deny", "--json"])
        let locate = try tracker(["locate"], daemon)
        #expect(try await daemon.letTimePass(untilEndOf: locate) == 77)
        let lines = try await agent.lines(2).compactMap(JSON.init(line:))
        #expect(lines.first?.text("event") == "prompt" && lines.first?.text("purpose") == "Shows the boat.")
        #expect(lines.contains { $0.text("event") == "answered" && $0.text("client") == "tracker" })
        agent.signal(SIGTERM)
        #expect(try await agent.status() == 0)
    }

    // MARK: services, privacy

    @Test func `services off denies every client, and services on restores them`() async throws {
        let daemon = try await start()
        let watch = try daemon.start(["watch"])
        try await daemon.letTimePass(untilLines: 1, of: watch)
        #expect(try await daemon.finish(["services"]).program.outputLines == ["location services are on"])
        #expect(try await daemon.finish(["services", "off"]).program.outputLines == ["location services are off"])
        let off = "sextant: location services are off; an operator can switch them on: sextant services on"
        #expect(try await watch.status() == 77)
        #expect(watch.errorLines == [off])
        let locate = try await daemon.finish(["locate"])
        #expect(locate.status == 77 && locate.program.errorLines == [off])
        let json = try await daemon.finish(["services", "on", "--json"])
        #expect(JSON(line: json.program.outputLines[0])?.bool("enabled") == true)
        #expect(try await daemon.finish(["services", "perhaps"]).status == 64)
    }

    @Test func `the privacy command lists all stored data, and erases it`() async throws {
        let daemon = try await start()
        let none = try await daemon.finish(["privacy", "tracker"])
        #expect(none.program.outputLines == ["nothing is kept about tracker"])
        #expect(try await daemon.finish(["clients", "allow", "tracker"]).status == 0)
        let list = try await daemon.finish(["privacy"])
        #expect(list.program.outputLines == ["tracker: authorization, 1 entry"])
        let unconfirmed = try await daemon.finish(["privacy", "erase", "tracker"])
        #expect(unconfirmed.status == 64 && unconfirmed.program.errors.contains("give --yes"))
        let erase = try await daemon.finish(["privacy", "erase", "tracker", "--what", "authorization", "--yes"])
        #expect(erase.status == 0 && erase.program.outputLines == ["erased 1 entry about tracker"])
        #expect(try await daemon.finish(["privacy", "nobody"]).status == 65)
    }

    // MARK: who may not know

    @Test(arguments: [["watch"], ["watch", "--accuracy", "100"], ["locate"]])
    func `a command without a manifest ends with one line that gives the remedy`(command: [String]) async throws {
        let daemon = try await start(try .nobody(in: scratch))
        let program = try await daemon.finish(command)
        #expect(program.status == 77 && program.program.errorLines.count == 1)
        let mend = "no manifest names this process (user \(geteuid())), so it gets no locations; "
        #expect(program.program.errors.contains(mend))
        #expect(program.program.errors.contains("write a manifest in /etc/sextant/clients.d, where"))
    }

    @Test func `a command whose manifest has no purpose text ends with one line that gives the remedy`() async throws {
        let daemon = try await start(tracker: "backgroundMode: false")
        let watch = try tracker(["watch"], daemon)
        #expect(try await watch.status() == 77)
        #expect(
            watch.errorLines == [
                "sextant: tracker is not authorized, and its manifest has no purpose.whenInUse to ask with; write one, "
                    + "or allow it: sextant clients allow tracker"
            ])
    }

    @Test func `a restricted client is told that it is restricted`() async throws {
        let admission = try Admission.everybody(in: scratch)
        try admission.writePolicy("{ clients: { tests: { authorization: 'restricted', final: true } } }")
        let daemon = try await start(admission)
        let locate = try await daemon.finish(["locate"])
        #expect(locate.status == 77)
        #expect(
            locate.program.errorLines == [
                "sextant: tests is restricted by the operator's policy; change its rule in /etc/sextant/policy.json5"
            ])
    }

    @Test func `with reduced accuracy watch shows locations instead of epochs, and says so`() async throws {
        let daemon = try await start()
        #expect(try await daemon.finish(["clients", "allow", "tracker"]).status == 0)
        #expect(try await daemon.finish(["clients", "reduce", "tracker"]).status == 0)
        let watch = try tracker(["watch", "--count", "1"], daemon)
        #expect(try await daemon.letTimePass(untilEndOf: watch) == 0)
        #expect(
            watch.errorLines == [
                "sextant: tracker has reduced accuracy: locations to 5 km follow, one in 15 minutes, instead of epochs"
            ])
        #expect(watch.output.contains("Z  reduced  47.") && watch.output.contains("±"))
        let satellites = try tracker(["watch", "--satellites"], daemon)
        #expect(try await satellites.status() == 77)
        #expect(satellites.errors.contains("sextant clients full tracker"))
    }

    @Test func `a watch that is denied while it runs ends with a message`() async throws {
        let daemon = try await start()
        #expect(try await daemon.finish(["clients", "allow", "tracker"]).status == 0)
        let watch = try tracker(["watch"], daemon)
        try await daemon.letTimePass(untilLines: 1, of: watch)
        #expect(try await daemon.finish(["clients", "deny", "tracker"]).status == 0)
        #expect(try await watch.status() == 77)
        #expect(watch.errors.contains("tracker is denied locations"))
    }
}
