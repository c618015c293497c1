import Foundation
import HostHelper
import HostSleep
import Testing

@Suite("The hook at the end of a shutdown")
struct HostHookTests {
    private let folders: Folders
    private let chip = FakeSwitch()

    init() throws { folders = try Folders() }

    private func run(_ action: String = "poweroff") -> HostHook.Outcome {
        let chip = chip
        return HostHook(folders: folders.paths, clocks: Now.clocks) { _ in chip }.run(action)
    }

    private func keep() throws { try folders.write(HostRequest.sound().text, to: folders.paths.kept) }

    @Test func `a sleep whose alarm stands in the switch is cut`() throws {
        try keep()
        #expect(run() == .cuts)
        #expect(chip.orders == [HostRequest.sound().order] && chip.cuts == 1 && chip.disarms == 0)
    }

    @Test(arguments: SwitchFault.allCases)
    func `a sleep whose alarm does not stand in the switch as ordered starts the host again`(fault: SwitchFault) throws
    {
        try keep()
        chip.fault = fault
        guard case .reboots(let reason) = run() else { return #expect(Bool(false), "it does not start again") }
        #expect(reason.hasPrefix("the host switch pijuice ") && chip.cuts == 0)
    }

    @Test func `a sleep whose switch does not answer starts the host again`() throws {
        try keep()
        chip.problem = HostSwitchProblem("I2C 0x14 does not answer")
        #expect(run() == .reboots("I2C 0x14 does not answer"))
        #expect(chip.cuts == 0)
    }

    @Test func `what was kept and is damaged, or is a link, starts the host again`() throws {
        try folders.write("{}", to: folders.paths.kept)
        #expect(run() == .reboots("\(folders.paths.kept): digest: missing"))
        try FileManager.default.removeItem(atPath: folders.paths.kept)
        try FileManager.default.createSymbolicLink(atPath: folders.paths.kept, withDestinationPath: "/dev/null")
        #expect(run() == .reboots("\(folders.paths.kept): a link; only the file itself counts"))
    }

    @Test func `the owner's power-off clears the switch, and tries three times`() throws {
        try folders.write(HostSwitchAddress.pijuice.text, to: folders.paths.hostSwitch)
        chip.lostWrites = 2
        #expect(run() == .isFinal)
        #expect(chip.disarms == 3 && !chip.isArmed && chip.cuts == 0)
    }

    @Test func `the owner's power-off goes on where the switch cannot be cleared, which is said`() throws {
        try folders.write(HostSwitchAddress.pijuice.text, to: folders.paths.hostSwitch)
        chip.lostWrites = 3
        let reason = "the host switch pijuice does not forget its alarm; it may start the board"
        #expect(run() == .isFinalUncleared(reason))
    }

    @Test func `without the daemon's word of a switch, the owner's power-off leaves the switch as it is`() {
        #expect(run() == .isFinal)
        #expect(chip.disarms == 0)
    }

    @Test(arguments: ["reboot", "halt", "kexec"])
    func `a reboot, a halt and a kexec are left alone`(action: String) throws {
        try keep()
        try folders.write(HostSwitchAddress.pijuice.text, to: folders.paths.hostSwitch)
        #expect(run(action) == .ignores)
        #expect(chip.orders.isEmpty && chip.cuts == 0 && chip.disarms == 0)
    }
}
