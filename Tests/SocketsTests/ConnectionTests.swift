import Glibc
import SextantReactor
import SextantSockets
import SextantUnits
import Synchronization
import TestSupport
import Testing

@Suite("Connection")
struct ConnectionTests {
    private func deadline() -> MonotonicInstant { Clock.now().advanced(byNanoseconds: Patience.nanoseconds) }

    @Test func `lines are carried in both directions`() throws {
        let server = try Server()
        server.onLine = { connection, text in #expect(connection.send("re: \(text)\n".bytes)) }
        var client = try LocalClient(path: server.folder.socket)
        try client.send("one\ntwo\n".bytes)
        #expect(try server.serve { server.heard == ["one", "two"] })
        #expect(try client.readLine(deadline: deadline()) == "re: one".bytes)
        #expect(try client.readLine(deadline: deadline()) == "re: two".bytes)
    }

    @Test func `a question to the peer in the middle of a line is answered before the line continues`() throws {
        let server = try Server(lineLimit: 4096, outputCapacity: 1 << 22)
        let limit = deadline()
        // More than the kernel keeps, so that the question waits behind it.
        let before = String(repeating: "x", count: 1 << 20)
        server.onLine = { connection, _ in
            #expect(connection.send("\(before)\n".bytes))
            let answer = connection.ask("who?\n".bytes, deadline: limit)
            #expect(answer == "me".bytes)
            #expect(connection.send("done\n".bytes))
        }
        let path = server.folder.socket
        let heard = Mutex<[[UInt8]]>([])
        let isOver = Mutex(false)
        try Thread.start("test-peer") {
            defer { isOver.withLock { $0 = true } }
            guard var client = try? LocalClient(path: path, lineLimit: 1 << 21) else { return }
            try? client.send("go\n".bytes)
            while let line = try? client.readLine(deadline: limit) {
                heard.withLock { $0.append(line) }
                if line == "who?".bytes { try? client.send("me\n".bytes) }
                if line == "done".bytes { return }
            }
        }
        #expect(try server.serve { server.endings.count == 1 })
        try waitUntil("the peer's end") { isOver.withLock { $0 } }
        #expect(heard.withLock { $0.map(\.count) } == [1 << 20, 4, 4])
        #expect(server.heard == ["go"])
    }

    @Test func `a peer that does not answer is not waited for beyond the deadline`() throws {
        let server = try Server()
        var answers: [[UInt8]?] = []
        server.onLine = { connection, _ in
            answers.append(connection.ask("who?\n".bytes, deadline: Clock.now().advanced(byNanoseconds: 1)))
        }
        let client = try LocalClient(path: server.folder.socket)
        try client.send("go\n".bytes)
        #expect(try server.serve { answers.count == 1 })
        #expect(answers == [nil])
        _ = consume client
    }

    @Test func `a paused connection delivers no line, not even of those it has read, until it goes on`() throws {
        let server = try Server()
        server.onLine = { connection, text in if text == "two" { connection.pause() } }
        let client = try LocalClient(path: server.folder.socket)
        try client.send("one\ntwo\nthree\nfo".bytes)
        #expect(try server.serve { server.heard.count == 2 })
        try client.send("ur\nfive\n".bytes)
        #expect(try server.wakeUps() == 0)
        #expect(server.heard == ["one", "two"])
        server.connections.first?.resume()
        #expect(try server.serve { server.heard.count == 5 })
        #expect(server.heard == ["one", "two", "three", "four", "five"])
    }

    @Test func `a paused connection whose peer has left delivers its last lines when it goes on`() throws {
        let server = try Server()
        server.onLine = { connection, text in if text != "three" { connection.pause() } }
        do {
            let client = try LocalClient(path: server.folder.socket)
            try client.send("one\n".bytes)
            #expect(try server.serve { server.heard == ["one"] })
            try client.send("two\nthree\n".bytes)
        }
        #expect(try server.wakeUps() == 0)
        server.connections.first?.resume()
        #expect(try server.serve { server.heard.count == 2 })
        #expect(server.endings.isEmpty)
        server.connections.first?.resume()
        #expect(try server.serve { !server.endings.isEmpty })
        #expect(server.heard == ["one", "two", "three"])
    }

    @Test func `knows its peer by the kernel's word`() throws {
        let server = try Server()
        let client = try LocalClient(path: server.folder.socket)
        #expect(try server.serve { !server.connections.isEmpty })
        guard case .local(let peer)? = server.connections.first?.peer else {
            Issue.record("not known as a process")
            return
        }
        #expect(peer.userID == geteuid())
        #expect(peer.groupID == getegid())
        #expect(peer.processID == getpid())
        _ = consume client
    }

    @Test func `an overlong line is reported once, and the next line is served`() throws {
        let server = try Server(lineLimit: 8)
        let client = try LocalClient(path: server.folder.socket)
        try client.send((String(repeating: "x", count: 20_000) + "\nnext\n").bytes)
        #expect(try server.serve { server.heard.last == "next" })
        #expect(server.heard == ["<too long>", "next"])
    }

    @Test func `the last lines of a client that has left are read`() throws {
        let server = try Server()
        do {
            let client = try LocalClient(path: server.folder.socket)
            try client.send("one\ntwo\nhalf".bytes)
        }
        #expect(try server.serve { !server.endings.isEmpty })
        #expect(server.heard == ["one", "two"])
        #expect(server.endings == [.closedByPeer])
        #expect(server.connections.first?.isOpen == false)
        #expect(try server.wakeUps() == 0)
    }

    @Test func `a client that has finished sending still gets answers`() throws {
        let server = try Server()
        server.onLine = { connection, text in #expect(connection.send("re: \(text)\n".bytes)) }
        var client = try LocalClient(path: server.folder.socket)
        try client.send("one\n".bytes)
        _ = client.descriptor.withRawValue { shutdown($0, Int32(SHUT_WR)) }
        #expect(try server.serve { !server.endings.isEmpty })
        #expect(try client.readLine(deadline: deadline()) == "re: one".bytes)
        #expect(try client.readLine(deadline: deadline()) == nil)
    }

    @Test func `a full output queue is reported to its owner, and does not affect other clients`() throws {
        let server = try Server(outputCapacity: 4096)
        let slow = try LocalClient(path: server.folder.socket)
        #expect(try server.serve { server.connections.count == 1 })
        var other = try LocalClient(path: server.folder.socket)
        #expect(try server.serve { server.connections.count == 2 })

        let block = [UInt8](repeating: 0x2E, count: 1024)
        var blocks = 0
        while server.connections[0].send(block) { blocks += 1 }
        #expect(blocks > 4)
        #expect((3073...4096).contains(server.connections[0].queuedByteCount))
        server.connections[0].close()
        #expect(server.connections[1].send("fine\n".bytes))
        #expect(try other.readLine(deadline: deadline()) == "fine".bytes)
        _ = consume slow
    }

    @Test func `a batch longer than the output queue is accepted whole, and the queue's room remains for later`() throws
    {
        let server = try Server(outputCapacity: 4096)
        let client = try LocalClient(path: server.folder.socket)
        #expect(try server.serve { server.connections.count == 1 })
        let connection = server.connections[0]
        #expect(connection.send([UInt8](repeating: 0x2E, count: 2 << 20)))
        let waiting = connection.queuedByteCount
        #expect(waiting > 4096)
        var following = 0
        while connection.send([UInt8](repeating: 0x2C, count: 1024)) { following += 1024 }
        #expect((4096...4096 + (2 << 20) - waiting).contains(following))

        var received = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        _ = client.descriptor.withRawValue { fcntl($0, F_SETFL, O_NONBLOCK) }
        while received < (2 << 20) + following, connection.isOpen {
            switch client.descriptor.read(into: &buffer) {
            case .bytes(let count): received += count
            case .wouldBlock: _ = try server.reactor.serve(waitingMilliseconds: 1)
            case .disconnected: connection.close()
            }
        }
        #expect(received == (2 << 20) + following)
    }

    @Test func `queued bytes are sent in order once the peer reads, and then the loop sleeps`() throws {
        let server = try Server(outputCapacity: 1 << 20)
        let client = try LocalClient(path: server.folder.socket)
        #expect(try server.serve { server.connections.count == 1 })
        let connection = server.connections[0]

        var next: UInt8 = 0
        var sent: [UInt8] = []
        while connection.queuedByteCount < 100_000 {
            let block = (0..<4093).map { UInt8(truncatingIfNeeded: $0) &+ next }
            next &+= 1
            #expect(connection.send(block))
            sent += block
        }
        // Nobody reads, so nobody wakes.
        #expect(try server.wakeUps() == 0)

        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        _ = client.descriptor.withRawValue { fcntl($0, F_SETFL, O_NONBLOCK) }
        while received.count < sent.count, connection.isOpen {
            switch client.descriptor.read(into: &buffer) {
            case .bytes(let count): received += buffer[..<count]
            case .wouldBlock: _ = try server.reactor.serve(waitingMilliseconds: 1)
            case .disconnected: connection.close()
            }
        }
        #expect(received == sent)
        #expect(try server.wakeUps() == 0)
    }

    @Test func `an owner may close the connection while handling its line`() throws {
        let server = try Server()
        server.onLine = { connection, _ in connection.close() }
        var client = try LocalClient(path: server.folder.socket)
        try client.send("one\ntwo\n".bytes)
        #expect(try server.serve { !server.heard.isEmpty })
        #expect(server.heard == ["one"])
        #expect(server.endings.isEmpty)
        #expect(!server.connections[0].send("x".bytes))
        #expect(try client.readLine(deadline: deadline()) == nil)
    }

    @Test func `sending to a peer that has left fails without ending the process`() throws {
        let server = try Server()
        do { _ = try LocalClient(path: server.folder.socket) }
        #expect(try server.serve { !server.endings.isEmpty })
        #expect(!server.connections[0].send("x".bytes))
    }

    @Test func `the last lines of a client that left without reading are read`() throws {
        let server = try Server(outputCapacity: 1 << 20)
        do {
            let client = try LocalClient(path: server.folder.socket)
            #expect(try server.serve { server.connections.count == 1 })
            while server.connections[0].queuedByteCount == 0 {
                #expect(server.connections[0].send([UInt8](repeating: 0x2E, count: 4096)))
            }
            try client.send("last\n".bytes)
        }
        #expect(try server.serve { !server.endings.isEmpty })
        #expect(server.heard == ["last"])
    }
}
