import Foundation
import HostHelper
import HostSleep
import SextantUnits
import Testing

@Suite("The helper of host sleep")
struct HostHelperTests {
    private let folders: Folders
    private let chip = FakeSwitch()
    private let manager: FakeManager

    init() throws {
        folders = try Folders()
        manager = FakeManager(kept: folders.paths.kept)
    }

    private func serve(by clocks: HostClocks = Now.clocks) throws -> HostAnswer? {
        let chip = chip
        let helper = HostHelper(folders: folders.paths, clocks: clocks, manager: manager) { _ in chip }
        return try helper.serve()
    }

    /// Serves a request that must be refused: logind is not asked, nothing is kept, and the daemon is told.
    private func refusal() throws -> HostAnswer.Refusal {
        let answer = try serve()
        #expect(answer == folders.answer && manager.keptWhenAsked == nil && !folders.has(folders.paths.kept))
        return try #require(answer?.refusal)
    }

    @Test func `a sound request is checked against the switch, kept for the hook, then asked for and answered`() throws
    {
        let request = HostRequest.sound()
        try folders.write(request.text, to: folders.paths.request)
        #expect(try serve() == HostAnswer(to: request.digest, refusal: nil))
        #expect(chip.orders == [request.order])
        #expect(manager.keptWhenAsked == request.text && folders.has(folders.paths.kept))
        #expect(folders.answer == HostAnswer(to: request.digest, refusal: nil))
    }

    @Test func `a host that vouches for its clock goes by it, and another by the time in the request`() throws {
        var request = HostRequest.sound()
        request.wall = Now.wall.advanced(byNanoseconds: -11_000_000_000)
        try folders.write(request.text, to: folders.paths.request)
        #expect(try serve(by: Now.unsynchronized)?.refusal == nil)
        #expect(chip.wall == Now.wall.advanced(byNanoseconds: -10_000_000_000))
        for file in [folders.paths.kept, folders.paths.answer] { try FileManager.default.removeItem(atPath: file) }
        #expect(try serve()?.refusal == nil)
        #expect(chip.wall == Now.wall)
    }

    @Test(arguments: [(3590, "alarm: in the past"), (-28 * 86_400, "alarm: more than 27 days ahead")])
    func `SLEEP-17: a request whose own time puts its alarm out of bounds is refused`(
        later: Int, words: String
    ) throws {
        var request = HostRequest.sound(ahead: 3580)
        request.wall = request.wall.advanced(byNanoseconds: Int64(later) * 1_000_000_000)
        try folders.write(request.text, to: folders.paths.request)
        let answer = try serve(by: Now.unsynchronized)
        #expect(answer?.refusal?.reason.contains(words) == true)
        #expect(chip.orders.isEmpty && manager.keptWhenAsked == nil && !folders.has(folders.paths.kept))
    }

    @Test func `where no request stands, nothing is done and nothing answered`() throws {
        #expect(try serve() == nil)
        #expect(folders.answer == nil && manager.keptWhenAsked == nil)
    }

    @Test func `a request is answered once`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        #expect(try serve() != nil)
        #expect(try serve() == nil)
        #expect(chip.orders.count == 1)
    }

    @Test(arguments: [
        (HostRequest.sound(ahead: -60), "alarm: in the past"),
        (.sound(ahead: 59), "alarm: less than 60 s ahead"),
        (.sound(ahead: 28 * 86_400), "alarm: more than 27 days ahead"),
        (.sound(age: 61), "made: more than 60 s ago"),
        (.sound(age: -60), "made: later than now"),
    ])
    func `SLEEP-17: a request that is out of bounds is refused`(request: HostRequest, words: String) throws {
        try folders.write(request.text, to: folders.paths.request)
        #expect(try refusal().reason.contains("/host/request: \(words)"))
        // Otherwise the daemon would not know that it was its request, and would miss an answer.
        #expect(folders.answer?.request == request.digest)
        #expect(chip.orders.isEmpty)
    }

    @Test func `SLEEP-17: a request with a wrong digest or an unknown key is refused`() throws {
        let text = HostRequest.sound().text
        for (damaged, words) in [
            (text.replacing("3600", with: "3601"), "digest: not that of this content"),
            (text + "x", "not a JSON object"),
            ("", "not a JSON object"), (text.replacing("motion", with: "lotion"), "digest: not that of this content"),
        ] {
            try folders.write(damaged, to: folders.paths.request)
            #expect(try refusal().reason.contains(words))
        }
    }

    @Test func `SLEEP-17: a link in the request's place is refused, wherever it leads`() throws {
        try folders.write(HostRequest.sound().text, to: "\(folders.path)/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: folders.paths.request, withDestinationPath: "\(folders.path)/elsewhere")
        #expect(try refusal().reason.hasSuffix("/host/request: a link; only the file itself counts"))
    }

    @Test func `SLEEP-17: a second name of a file, a folder and a pipe are no request`() throws {
        try folders.write(HostRequest.sound().text, to: "\(folders.path)/elsewhere")
        try FileManager.default.linkItem(atPath: "\(folders.path)/elsewhere", toPath: folders.paths.request)
        #expect(try refusal().reason.contains("not a file of its own"))
        try FileManager.default.removeItem(atPath: folders.paths.request)
        try FileManager.default.createDirectory(atPath: folders.paths.request, withIntermediateDirectories: false)
        #expect(try refusal().reason.contains("not a file of its own"))
        try FileManager.default.removeItem(atPath: folders.paths.request)
        _ = unsafe mkfifo(folders.paths.request, 0o644)
        #expect(try refusal().reason.contains("not a file of its own"))
    }

    @Test func `SLEEP-17: a request that others may write, or in a folder that they may, is refused`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request, mode: 0o664)
        #expect(try refusal().reason.contains("may have written it"))
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folders.paths.daemon)
        #expect(try refusal().reason.contains("not a folder that its owner alone may write to"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `SLEEP-17: a request of another user than the daemon's is refused`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: folders.paths.daemon)
        #expect(try refusal().reason.contains("others than user 12345"))
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: folders.paths.request)
        #expect(try serve()?.refusal == nil)
    }

    @Test func `SLEEP-17: a request longer than 16 KiB is refused`() throws {
        try folders.write(String(repeating: " ", count: 16_385), to: folders.paths.request)
        #expect(try refusal().reason.contains("longer than 16384 bytes"))
    }

    @Test(arguments: SwitchFault.allCases)
    func `SLEEP-17: a switch that would not wake the host as ordered is said, and logind not asked`(
        fault: SwitchFault
    ) throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        chip.fault = fault
        #expect(try refusal().reason.hasPrefix("the host switch pijuice "))
    }

    @Test func `SLEEP-17: a switch that does not answer is said, and logind not asked`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        chip.problem = HostSwitchProblem("I2C 0x14 does not answer")
        #expect(try refusal().reason == "I2C 0x14 does not answer")
    }

    @Test func `whoever is logged in or inhibits is named, and logind not asked`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        manager.found = ["the session of ann at seat0", "the inhibitor of apt: it installs"]
        let said = try refusal()
        #expect(said.by == manager.found && said.reason == "somebody needs the host: the session of ann at seat0")
    }

    @Test func `eight of many are named, in 120 characters each, so that the answer can be read`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        manager.found = Array(repeating: String(repeating: "\u{1}", count: 1000), count: 100)
        let said = try refusal()
        #expect(said.by == Array(repeating: String(repeating: "\u{1}", count: 120), count: 8))
    }

    @Test func `where logind itself refuses, nothing stays kept, and its words are told`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        manager.refusal = PowerManagerError("Interactive authentication required.")
        #expect(try serve()?.refusal?.reason == "Interactive authentication required.")
        #expect(manager.keptWhenAsked == HostRequest.sound().text)
        #expect(!folders.has(folders.paths.kept))
    }

    @Test func `what the host may be stopping for stays kept, whatever is asked for after it`() throws {
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        #expect(try serve()?.refusal == nil)
        try folders.write(HostRequest.sound(ahead: 7200).text, to: folders.paths.request)
        #expect(try serve()?.refusal?.reason.contains("another request was kept in this boot") == true)
        #expect(try String(contentsOfFile: folders.paths.kept, encoding: .utf8) == HostRequest.sound().text)
    }
}
