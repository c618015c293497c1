import Testing

@testable import Page

@Suite("What a viewer is sent")
struct LiveStateTests {
    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private func drain(_ queue: inout ViewerQueue, _ state: LiveState, by piece: Int) -> String {
        var result = ""
        while true {
            let bytes = queue.take(piece, from: state)
            if bytes.isEmpty { return result }
            #expect(bytes.count <= piece)
            result += text(bytes)
        }
    }

    @Test func `a new viewer is told the time and the newest of every kind`() {
        var state = LiveState()
        let isNews = [state.set(.status, Array("{\"a\":1}".utf8), at: 5), state.set(.link, Array("{}".utf8), at: 4)]
        #expect(isNews == [true, true])
        var queue = ViewerQueue(state, at: 9)
        #expect(
            drain(&queue, state, by: 7)
                == "retry: 2000\nevent: clock\ndata: {\"now\":9}\n\n" + "id: 4\nevent: link\ndata: {}\n\n"
                + "id: 5\nevent: status\ndata: {\"a\":1}\n\n")
        #expect(queue.isEmpty)
    }

    @Test func `what was told already is not told again`() {
        var state = LiveState()
        let isNews = [state.set(.status, [1], at: 5), state.set(.status, [1], at: 6), state.set(.status, [2], at: 7)]
        #expect(isNews == [true, false, true])
    }

    @Test func `PAGE-15 a viewer that does not read waits for the newest of each kind, and for no more`() {
        var state = LiveState()
        var queue = ViewerQueue(state, at: 0)
        _ = queue.take(5, from: state)
        for round in 1...10_000 {
            _ = state.set(.epoch, Array("{\"n\":\(round)}".utf8), at: Int64(round))
            queue.add(.epoch)
        }
        let rest = drain(&queue, state, by: 4096)
        #expect(rest.hasSuffix("id: 10000\nevent: epoch\ndata: {\"n\":10000}\n\n"))
        #expect(rest.utf8.count < 120)
    }

    @Test func `an event that is being sent goes on whole when its kind changes`() {
        var state = LiveState()
        _ = state.set(.epoch, Array("first".utf8), at: 1)
        var queue = ViewerQueue(state, at: 0)
        let head = text(queue.take(60, from: state))
        _ = state.set(.epoch, Array("second".utf8), at: 2)
        queue.add(.epoch)
        let all = head + drain(&queue, state, by: 3)
        #expect(all.contains("event: clock\ndata: {\"now\":0}\n\nid: "))
        #expect(all.hasSuffix("event: epoch\ndata: second\n\n"))
    }

    @Test func `a heartbeat is sent only where nothing else is`() {
        let state = LiveState()
        var queue = ViewerQueue(state, at: 0)
        queue.addHeartbeat()
        #expect(drain(&queue, state, by: 99).hasPrefix("retry"))
        queue.addHeartbeat()
        #expect(drain(&queue, state, by: 99) == ":\n\n")
    }

    @Test(arguments: [
        ("{\"event\":\"epoch\",\"a\":1}", "epoch"), ("{\"event\":\"\"}", ""), ("{\"a\":1}", ""), ("", ""),
    ])
    func `a line's name is read without decoding it`(line: String, name: String) {
        #expect(LineName.of(Array(line.utf8)) == name)
    }
}

@Suite("The page's configuration")
struct PageConfigurationTests {
    @Test func `names and a map are read`() {
        let read = PageConfiguration(text: Array("{ hosts: ['board.lan'], map: '/srv/lake.mbtiles', } // mine".utf8))
        #expect(read.hosts == ["board.lan"])
        #expect(read.map == "/srv/lake.mbtiles")
        #expect(read.problems.isEmpty)
    }

    @Test(arguments: ["{", "[]", "{ host: ['a'] }", "{ hosts: 'a' }", "{ hosts: [1] }", "{ map: 3 }"])
    func `what cannot be used is named, and the page starts nevertheless`(text: String) {
        let read = PageConfiguration(text: Array(text.utf8))
        #expect(read.problems.count == 1)
        #expect(read.map == nil)
    }

    @Test func `a map that cannot be drawn is a problem beside those of the file's text`() {
        let read = PageConfiguration(text: Array("{ map: '/none/lake.mbtiles', host: 'a' }".utf8))
        #expect(read.allProblems.first == read.problems.first && read.problems.count == 1)
        #expect(read.allProblems.last?.hasPrefix("the map /none/lake.mbtiles: cannot be read") == true)
    }
}
