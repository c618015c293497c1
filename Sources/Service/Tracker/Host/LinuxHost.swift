internal import Boards
internal import Doctor
internal import Glibc
internal import Hardware
internal import HostSleep
internal import HostSwitches
internal import LinuxHardware
internal import SextantReactor

extension LinuxTrackerHardware {
    /// The largest number of orders that can wait: the Engine (the daemon's logic) gives one at a time, and can
    /// withdraw one.
    private static let hostOrderCapacity = 4

    static func host(
        _ board: BoardHostSwitch, _ settings: HostSleepSettings, _ latch: (MotionLatch.Sensor, bus: String)?,
        reactor: Reactor, onAnswer: @escaping (HostPortAnswer) -> Void
    ) throws(SystemError) -> any HostPort {
        let files = HostRequestFiles()
        return try LinuxHostPort(files: files, capacity: hostOrderCapacity, reactor: reactor, onAnswer: onAnswer) {
            serving(board, settings, latch, files)
        }
    }

    private static func serving(
        _ board: BoardHostSwitch, _ settings: HostSleepSettings, _ latch: (MotionLatch.Sensor, bus: String)?,
        _ requests: HostRequestFiles
    ) -> (HostPortOrder) -> HostPortAnswer {
        let latch = latch.map { sensor, bus in
            MotionLatch(sensor) { () throws(BusError) in try LinuxI2CBus(bus) }
        }
        guard let chip = HostSwitchCatalogue.chip(board.model, at: board.address), let bus = board.bus else {
            let server = server(board, settings, latch, requests) { () throws(HostSwitchError) in
                do throws(FirmwareError) {
                    return RaspberryPiClock(mailbox: try LinuxFirmwareMailbox(), alarm: LinuxKernelAlarm())
                } catch {
                    throw .firmware(error)
                }
            }
            return { server.serve($0) }
        }
        let server = server(board, settings, latch, requests) { () throws(HostSwitchError) in
            do throws(BusError) { return SwitchOnBus(chip, on: try LinuxI2CBus(bus)) } catch { throw .bus(error) }
        }
        return { server.serve($0) }
    }

    private static func server<Switch: HostSwitch & ~Copyable>(
        _ board: BoardHostSwitch, _ settings: HostSleepSettings, _ latch: MotionLatch?, _ requests: HostRequestFiles,
        open: @escaping () throws(HostSwitchError) -> Switch
    ) -> HostServer<Switch> {
        let files = RootedFiles(root: "")
        let clocks = HostServer<Switch>.Clocks(
            now: { Clock.now() }, wall: { Clock.utcIsSynchronized ? Clock.utc() : nil })
        return HostServer(
            board, settings, files: requests, kernel: files.value(of: "/proc/sys/kernel/osrelease") ?? "",
            clocks: clocks, latch: latch,
            survey: { HostSurvey(files: files, hostSwitch: ExaminedSwitch(board)).inspection }, open: open)
    }
}
