import Foundation
import HostSleep
import Programs
import SextantReactor
import SextantUnits
import TestSupport
import Testing

@testable import Tracker

/// The wait for the helper's answer, in a folder of the test's own, with a switch's thread that only hands the request over.
@Suite("The daemon awaits the helper's answer")
struct LinuxHostPortTests {
    private let folder: Folder
    private let reactor: Reactor
    private let told = Told()
    private let port: LinuxHostPort
    private let request = HostRequest(
        order: SwitchOrder(alarm: UTCInstant(nanoseconds: 1_795_784_400_000_000_000), backstop: nil, byMotion: false),
        hostSwitch: HostSwitchAddress(model: "pijuice", bus: "/dev/i2c-1", address: nil),
        made: MonotonicInstant(nanoseconds: 40_000_000_000), wall: UTCInstant(nanoseconds: 1_795_780_800_000_000_000))

    /// What the tracker was told; a class, because the port tells it later.
    private final class Told { var answers: [HostPortAnswer] = [] }

    init() throws { try self.init(patience: 3600) }

    private init(patience: Double) throws {
        folder = try Folder()
        reactor = try Reactor()
        let (path, told, reactor, request) = (folder.path, told, reactor, request)
        for name in ["daemon", "helper"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        }
        let files = HostRequestFiles(HostFolders(daemon: "\(path)/daemon", helper: "\(path)/helper"))
        port = try LinuxHostPort(
            files: files, capacity: 4, reactor: reactor, patience: patience,
            onAnswer: { answer in
                told.answers.append(answer)
                reactor.stop()
            },
            makeServer: {
                { order in
                    guard case .carryOut(.powerOff) = order else { return HostPortAnswer() }
                    _ = files.ask(request)
                    return HostPortAnswer(awaited: request)
                }
            })
    }

    private func answer(to digest: String, _ refusal: HostAnswer.Refusal? = nil) throws {
        try GuardedFile.write(HostAnswer(to: digest, refusal: refusal).text, to: "\(folder.path)/helper/answer")
    }

    private func answered() throws -> HostPortAnswer {
        try reactor.run(until: "the helper's answer")
        return try #require(told.answers.first)
    }

    @Test func `an answer that comes is told at once`() throws {
        try answer(to: "another")
        #expect(port.order(.carryOut(.powerOff(request.order))))
        try answer(to: request.digest)
        #expect(try answered() == HostPortAnswer([.powerOffAnswered(isAccepted: true)]))
    }

    @Test func `whoever is logged in is named where the helper says no`() throws {
        #expect(port.order(.carryOut(.powerOff(request.order))))
        try answer(to: request.digest, HostAnswer.Refusal(reason: "somebody is logged in", by: ["pi on pts/0"]))
        let refused = try answered()
        #expect(refused.reports == [.powerOffAnswered(isAccepted: false)])
        #expect(refused.problem == "host sleep: the power stays on: somebody is logged in (pi on pts/0)")
    }

    @Test func `without the helper nothing is switched off, and the mend is said`() throws {
        let tests = try LinuxHostPortTests(patience: 0)
        // The answer to another request is none.
        try tests.answer(to: "another")
        #expect(tests.port.order(.carryOut(.powerOff(request.order))))
        let refused = try tests.answered()
        #expect(refused.reports == [.powerOffAnswered(isAccepted: false)])
        #expect(refused.problem?.contains("systemctl enable --now sextant-host.path") == true)
        #expect(!FileManager.default.fileExists(atPath: "\(tests.folder.path)/daemon/host/request"))
    }

    @Test func `the helper, another user, may read the request whatever the daemon's umask`() throws {
        let hostFolder = "\(folder.path)/daemon/host"
        try FileManager.default.createDirectory(
            atPath: hostFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(HostRequestFiles(HostFolders(daemon: "\(folder.path)/daemon", helper: "")).ask(request) == nil)
        for (path, mode) in [(hostFolder, 0o755), ("\(hostFolder)/request", 0o644)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test func `a request that was taken back is not waited for`() throws {
        #expect(port.order(.carryOut(.powerOff(request.order))))
        try answer(to: request.digest)
        #expect(port.order(.carryOut(.disarm)))
        #expect(try answered() == HostPortAnswer())
        #expect(told.answers.count == 1)
    }
}
