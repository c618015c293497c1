import Emulation
import Glibc
import LinuxHardware
import SextantReactor
import TestSupport
import Testing

@Suite("PseudoTerminal")
struct PseudoTerminalTests {
    @Test func `the link to the slave exists as long as the pair`() throws {
        let folder = TemporaryFolder()
        let link = "\(folder.path)/ttyGNSS"
        var terminal: PseudoTerminal? = try PseudoTerminal(link: link)
        #expect(terminal?.linkPath == link)
        _ = try SerialPort(path: link, baud: 9600)
        terminal = nil
        #expect(folder.names.isEmpty)
    }

    @Test func `a link that was taken over is not removed by its old owner`() throws {
        let folder = TemporaryFolder()
        let link = "\(folder.path)/ttyGNSS"
        var old: PseudoTerminal? = try PseudoTerminal(link: link)
        let new = try PseudoTerminal(link: link)
        old = nil
        #expect(folder.names == ["ttyGNSS"])
        let port = try SerialPort(path: link, baud: 9600)
        _ = new.write([7].span)
        #expect(try receive(1, from: port.read, on: port.descriptor) == [7])
        _ = old
    }

    @Test func `reports that no program has the slave open any more`() throws {
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
        try reactor.serve(until: "the hang-up") { calls > 0 }
        #expect(try reactor.serveReady(atMost: 5) == 0)
        #expect(calls == 1)
    }

    @Test func `keeps the slave open on request`() throws {
        let terminal = try PseudoTerminal(keepingSlaveOpen: true)
        _ = try SerialPort(path: terminal.slavePath, baud: 9600)
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(terminal.read(into: &buffer) == .wouldBlock)
    }

    @Test func `serves one program after another, and causes no wake-ups in between`() throws {
        let terminal = try PseudoTerminal()
        let reactor = try Reactor()
        var heard: [String] = []
        var buffer = [UInt8](repeating: 0, count: 16)
        try terminal.register(with: reactor) { event in
            switch event {
            case .useChanged: heard.append(terminal.isSlaveOpen ? "open" : "closed")
            case .readable:
                while case .bytes(let count) = terminal.read(into: &buffer) {
                    heard.append(String(decoding: buffer[..<count], as: UTF8.self))
                    reactor.stop()
                }
            }
        }
        #expect(!terminal.isSlaveOpen)
        for text in ["one", "two"] {
            let port = try SerialPort(path: terminal.slavePath, baud: 9600)
            #expect(terminal.isSlaveOpen)
            _ = port.write(Array(text.utf8).span)
            try reactor.run(until: text)
            _ = port
        }
        try reactor.serve(until: "the end of the second program") { heard.last == "closed" }
        #expect(!terminal.isSlaveOpen)
        #expect(heard.filter { $0 != "open" && $0 != "closed" } == ["one", "two"])
        #expect(try reactor.serveReady(atMost: 5) == 0)
        terminal.unregister(from: reactor)
    }
}
