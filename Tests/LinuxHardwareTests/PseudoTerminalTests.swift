import Glibc
import LinuxHardware
import Reactor
import Testing

@Suite("PseudoTerminal")
struct PseudoTerminalTests {
    @Test func `a link stands for the slave while the pair lives`() throws {
        let folder = Folder()
        let link = "\(folder.path)/ttyGNSS"
        var terminal: PseudoTerminal? = try PseudoTerminal(link: link)
        #expect(terminal?.linkPath == link)
        _ = try SerialPort(path: link, baud: 9600)
        terminal = nil
        #expect(folder.names().isEmpty)
    }

    @Test func `a link is replaced, and its new owner's survives the old owner`() throws {
        let folder = Folder()
        let link = "\(folder.path)/ttyGNSS"
        var old: PseudoTerminal? = try PseudoTerminal(link: link)
        let new = try PseudoTerminal(link: link)
        old = nil
        #expect(folder.names() == ["ttyGNSS"])
        let port = try SerialPort(path: link, baud: 9600)
        _ = new.write([7].span)
        #expect(try receive(1, from: port.read, on: port.descriptor) == [7])
        _ = old
    }

    @Test func `tells that no program has the slave open any more`() throws {
        let terminal = try PseudoTerminal()
        var port: SerialPort? = try SerialPort(path: terminal.slavePath, baud: 9600)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(terminal.read(into: &buffer) == .wouldBlock)
        port = nil
        #expect(terminal.read(into: &buffer) == .disconnected(errno: EIO))
        _ = port
    }

    @Test func `a closed slave does not make the master's reactor spin`() throws {
        let terminal = try PseudoTerminal()
        let reactor = try Reactor()
        var calls = 0
        _ = try terminal.descriptor.register(with: reactor) { _ in calls += 1 }
        _ = try SerialPort(path: terminal.slavePath, baud: 9600)
        try reactor.run(forMilliseconds: 60)
        #expect(calls == 1)
        #expect(reactor.wakeUps == 2)
    }

    @Test func `keeps the slave open when asked`() throws {
        let terminal = try PseudoTerminal(keepingSlaveOpen: true)
        _ = try SerialPort(path: terminal.slavePath, baud: 9600)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(terminal.read(into: &buffer) == .wouldBlock)
    }
}
