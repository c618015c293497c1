import Boards
import ClientProtocol
import Configuration
import Foundation
import Hardware
import Receivers
import Testing
import Tracker

/// What is wrong beside the daemon stands in its own log, with the mend, and what works is served.
struct HostTroublesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(filePath: "\(folder.path)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    private func log(of settings: TrackerSettings) -> [String] {
        let book = LogBook()
        HostTroubles.log(settings, root: folder.path, to: book.logger)
        return book.lines
    }

    @Test func `a console on the UART, Bluetooth, disabled I2C and a wrong board are logged, a line each`()
        throws
    {
        try write("Raspberry Pi 4 Model B Rev 1.4\0", to: "proc/device-tree/model")
        try write("enable_uart=1\n#dtparam=i2c_arm=on\ndtoverlay=w1-gpio,gpiopin=17\n", to: "boot/firmware/config.txt")
        try write("console=ttyAMA0,115200 console=tty1\n", to: "boot/firmware/cmdline.txt")
        try write("i2c-dev\n", to: "etc/modules")
        var board = Board(
            name: "tracker",
            receiver: BoardReceiver(
                model: .neoM8N, device: "/dev/ttyAMA0", baud: nil, supplyVolts: 3.3,
                draw: ReceiverModel.neoM8N.powerDraw),
            lines: [.powerEnable: BoardLine(name: "GPIO17", activeLow: false, safe: .inactive, bias: .asIs)],
            backup: .battery, motion: nil, host: HostModel.zero2W.power, batteryWattHours: nil)
        board.hostModel = .zero2W
        board.sensors = BoardSensors(bus: "/dev/i2c-1", magnetometer: nil, accelerometer: nil)
        #expect(
            log(of: TrackerSettings(board: board)) == [
                "warning: the board's file is for other hardware: its host is zero-2w, and this is a "
                    + "Raspberry Pi 4 Model B Rev 1.4; /etc/sextant/sextant.json5: name a board whose host is \"4b\", "
                    + "such as board: \"4b+RECEIVER\"",
                "warning: Bluetooth has /dev/ttyAMA0; "
                    + "/boot/firmware/config.txt: add under [all], after line 3: dtoverlay=disable-bt",
                "warning: the kernel's console is on the receiver's UART; "
                    + "/boot/firmware/cmdline.txt:1: remove console=ttyAMA0,115200",
                "warning: I2C is off; /boot/firmware/config.txt:2: take the # away before dtparam=i2c_arm=on",
                "warning: dtoverlay=w1-gpio takes GPIO17 (powerEnable) from the board; "
                    + "/boot/firmware/config.txt:3: remove dtoverlay=w1-gpio, or give it another pin with gpiopin=",
            ])
    }

    @Test func `a missing group that the daemon's unit needs is logged`() throws {
        try write("[Service]\nUser=sextant\nSupplementaryGroups=gpio\n", to: "lib/systemd/system/sextantd.service")
        try write("sextant:x:995:994:::\n", to: "etc/passwd")
        try write("sextant:x:994:\n", to: "etc/group")
        #expect(
            log(of: TrackerSettings(device: "/dev/ttyS0", baud: nil)) == [
                "warning: there is no group gpio, which sextantd.service needs; /etc/group: sudo groupadd --system gpio"
            ])
    }

    @Test func `on a host other than a Raspberry Pi nothing is logged`() {
        #expect(log(of: TrackerSettings(device: "/dev/pts/3", baud: nil)) == [])
    }

    @Test func `a later release's store is left unchanged, and the daemon runs without it`() throws {
        var database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        database[63] = 99
        try write(database, to: "state.sqlite")
        let rig = try Rig(in: folder)
        let told = rig.log.lines.filter { $0.contains("by a later release") }
        #expect(told.count == 1)
        #expect(told.allSatisfy { $0.contains("install the later release again, or move the file away") })
        #expect(FileManager.default.fileExists(atPath: rig.settings.socket))
        rig.tracker.stop()
        #expect(try Array(Data(contentsOf: URL(filePath: "\(folder.path)/state.sqlite"))) == database)
    }
}
