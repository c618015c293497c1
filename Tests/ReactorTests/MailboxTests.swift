import Glibc
import SextantReactor
import TestSupport
import Testing

@Suite("Mailbox")
struct MailboxTests {
    let reactor: Reactor

    init() throws { reactor = try Reactor() }

    @Test func `delivers another thread's messages in order`() throws {
        var heard: [Int] = []
        let mailbox = try reactor.makeMailbox(capacity: 1000) { (message: Int) in
            heard.append(message)
            if message == 999 { reactor.stop() }
        }
        try Thread.start("poster") {
            for number in 0..<1000 { mailbox.post(number) }
        }
        try reactor.run(until: "the last message")
        #expect(heard == Array(0..<1000))
    }

    @Test func `refuses a message when full and takes the next after reading`() throws {
        var heard: [Int] = []
        let mailbox = try reactor.makeMailbox(capacity: 2) { (message: Int) in
            heard.append(message)
            if heard.count == 2 { reactor.stop() }
        }
        #expect(mailbox.post(1))
        #expect(mailbox.post(2))
        #expect(!mailbox.post(3))
        try reactor.run(until: "the last message")
        #expect(heard == [1, 2])
        #expect(mailbox.post(4))
    }

    @Test func `many messages cause one wake-up`() throws {
        let mailbox = try reactor.makeMailbox(capacity: 100) { (message: Int) in
            if message == 99 { reactor.stop() }
        }
        for number in 0..<100 { mailbox.post(number) }
        try reactor.run(until: "the last message")
        #expect(reactor.wakeUps == 1)
    }

    @Test func `a handler may post to its own mailbox`() throws {
        var count = 0
        var post: (Int) -> Void = { _ in }
        let mailbox = try reactor.makeMailbox(capacity: 1) { (message: Int) in
            count += 1
            if message == 3 { reactor.stop() } else { post(message + 1) }
        }
        post = { mailbox.post($0) }
        post(1)
        try reactor.run(until: "the last message")
        #expect(count == 3)
    }
}
