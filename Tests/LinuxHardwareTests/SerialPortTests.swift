import Emulation
import Glibc
import LinuxHardware
import SextantReactor
import TestSupport
import Testing

/// Makes the calling thread, and no other one, open files as another user: setfsuid(2), which has no header in Swift.
@_silgen_name("setfsuid") private func setFileUser(_ user: uid_t) -> Int32

@Suite("SerialPort on a pseudoterminal")
struct SerialPortTests {
    @Test func `carries every byte value unchanged in both directions`() throws {
        let terminal = try PseudoTerminal()
        let port = try SerialPort(path: terminal.slavePath, baud: 9600)
        let all = (0...255).map(UInt8.init)

        #expect(terminal.write(all.span) == .bytes(256))
        #expect(try receive(256, from: port.read, on: port.descriptor) == all)
        #expect(port.write(all.span) == .bytes(256))
        #expect(try receive(256, from: terminal.read, on: terminal.descriptor) == all)
    }

    @Test func `recognises a pseudo-terminal`() throws {
        let terminal = try PseudoTerminal()
        #expect(try SerialPort(path: terminal.slavePath, baud: 9600).isPseudoTerminal)
    }

    @Test(arguments: [4800, 9600, 38_400, 115_200, 230_400, 460_800, 921_600, 250_000])
    func `sets any baud rate`(baud: Int) throws {
        let terminal = try PseudoTerminal()
        let port = try SerialPort(path: terminal.slavePath, baud: 9600)
        try port.setBaud(baud)
        #expect(port.baud == baud)
    }

    @Test(arguments: [0, -1, 49, 4_000_001])
    func `refuses a baud rate that no line supports`(baud: Int) throws {
        let terminal = try PseudoTerminal()
        let expected = SerialPortError.unsupportedRate(path: terminal.slavePath, rate: baud)
        #expect(throws: expected) { _ = try SerialPort(path: terminal.slavePath, baud: baud) }
    }

    @Test func `holds the transmitter low and releases it, and carries bytes afterwards`() throws {
        let terminal = try PseudoTerminal()
        let port = try SerialPort(path: terminal.slavePath, baud: 9600)
        #expect(!port.isTransmitterLow)
        try port.holdTransmitterLow(true)
        #expect(port.isTransmitterLow)
        try port.setBaud(38_400)
        #expect(port.isTransmitterLow)
        try port.holdTransmitterLow(false)
        #expect(!port.isTransmitterLow)
        #expect(port.write([0xB5, 0x62].span) == .bytes(2))
        #expect(try receive(2, from: terminal.read, on: terminal.descriptor) == [0xB5, 0x62])
    }

    @Test func `cannot hold the transmitter of a closed terminal`() throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let port = try SerialPort(path: try #require(terminal?.slavePath), baud: 9600)
        terminal = nil
        #expect(throws: SerialPortError.other(path: port.path, errno: EIO)) { try port.holdTransmitterLow(true) }
        #expect(!port.isTransmitterLow)
    }

    @Test func `a read would block while nothing has arrived`() throws {
        let terminal = try PseudoTerminal()
        let port = try SerialPort(path: terminal.slavePath, baud: 9600)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(port.read(into: &buffer) == .wouldBlock)
    }

    @Test func `discards input on request`() throws {
        let terminal = try PseudoTerminal()
        let port = try SerialPort(path: terminal.slavePath, baud: 9600)
        _ = terminal.write([1, 2, 3].span)
        let reactor = try Reactor()
        let registration = try port.descriptor.register(with: reactor) { _ in reactor.stop() }
        try reactor.run(until: "input")
        reactor.remove(registration)
        port.discardInput()
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(port.read(into: &buffer) == .wouldBlock)
    }

    @Test func `is disconnected when the master closes, and does not make the reactor spin`() throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let port = try SerialPort(path: try #require(terminal?.slavePath), baud: 9600)
        let reactor = try Reactor()
        var readiness: [Readiness] = []
        _ = try port.descriptor.register(with: reactor) { readiness.append($0) }
        terminal = nil
        try reactor.serve(until: "the hang-up") { !readiness.isEmpty }
        #expect(try reactor.serveReady(atMost: 5) == 0)
        #expect(readiness.count == 1)
        #expect(readiness.first?.contains(.hungUp) == true)
        var buffer = [UInt8](repeating: 0, count: 16)
        guard case .disconnected = port.read(into: &buffer) else {
            Issue.record("a read succeeded")
            return
        }
    }
}

@Suite("SerialPort that cannot open")
struct SerialPortErrorTests {
    @Test func `reports a missing device`() {
        let path = "/dev/ttyNONE7"
        #expect(throws: SerialPortError.notFound(path: path)) { _ = try SerialPort(path: path, baud: 9600) }
    }

    @Test func `reports that a directory is not a device`() {
        #expect(throws: SerialPortError.isFolder(path: "/dev")) { _ = try SerialPort(path: "/dev", baud: 9600) }
    }

    @Test(arguments: ["/dev/null", "/proc/self/exe"])
    func `reports that another kind of file is not a terminal`(path: String) {
        #expect(throws: SerialPortError.notATerminal(path: path)) { _ = try SerialPort(path: path, baud: 9600) }
    }

    @Test func `refuses a FIFO without opening it`() {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/pipe"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: SerialPortError.notATerminal(path: path)) { _ = try SerialPort(path: path, baud: 9600) }
    }

    @Test func `names the process that holds the device`() throws {
        let terminal = try PseudoTerminal()
        let path = terminal.slavePath
        let port = try SerialPort(path: path, baud: 9600)
        let error = #expect(throws: SerialPortError.self) { _ = try SerialPort(path: path, baud: 9600) }
        guard case .busy(path, let holder) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(holder?.processID == getpid())
        #expect(holder?.command.isEmpty == false)
        #expect(ProcessHolder.all(holding: path).map(\.processID) == [getpid()])
        _ = port
    }

    @Test func `opens again after the holder has closed it`() throws {
        let terminal = try PseudoTerminal()
        for _ in 0..<2 {
            #expect(throws: Never.self) { _ = try SerialPort(path: terminal.slavePath, baud: 9600) }
        }
    }

    @Test func `names the group that may open the device`() throws {
        let terminal = try PseudoTerminal()
        // The owner's own bits are asked first.
        #expect(unsafe chmod(terminal.slavePath, 0o060) == 0)
        // Root may open everything, so that the file is another user's, and this thread opens files as that user.
        let isRoot = geteuid() == 0
        if isRoot {
            #expect(unsafe chown(terminal.slavePath, 65_534, .max) == 0)
            _ = setFileUser(65_534)
        }
        defer { if isRoot { _ = setFileUser(0) } }
        let error = #expect(throws: SerialPortError.self) { _ = try SerialPort(path: terminal.slavePath, baud: 9600) }
        guard case .permissionDenied(terminal.slavePath, let group) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(group?.isEmpty == false)
    }

    @Test(arguments: [
        (
            SerialPortError.permissionDenied(path: "/dev/ttyAMA0", owningGroup: "dialout"),
            "permission denied; /dev/ttyAMA0 is for the group dialout: sextant doctor has the udev rule for the "
                + "installed daemon; for any other user: sudo usermod -aG dialout USER, then log in again"
        ),
        (
            .busy(path: "/dev/ttyAMA0", holder: ProcessHolder(processID: 412, command: "agetty")),
            "/dev/ttyAMA0: in use by agetty (process 412); stop it first"
        ),
        (
            .busy(path: "/dev/ttyAMA0", holder: nil),
            "/dev/ttyAMA0: in use by another program; stop it first"
        ),
        (
            .other(path: "/dev/ttyS5", errno: EIO),
            "/dev/ttyS5: Input/output error; the node exists but no device answers behind it: check wiring and overlays"
        ),
    ])
    func `the message names the device and the remedy in one sentence`(error: SerialPortError, text: String) {
        #expect(error.description == text)
    }
}
