import SextantJSON
import SextantUnits
import Testing

@testable import SextantUplink

@Suite("What the uplink sends, and when") struct UplinkTests {
    @Test func `MQTT-02: after a week offline the newest comes first, then events, then history, each once`() throws {
        var world = World()
        world.isUp = false
        world.cut()
        for count in 0..<60_480 {
            world.fix(latitude: 47 + Double(count) * 1e-5)
            if count % 302 == 0, count / 302 < 200 { world.event(UInt64(count / 302 + 1)) }
            world.pass(seconds: 10)
        }
        #expect(world.queue.count == 60_680 && world.acknowledged.count == 200)
        world.isUp = true
        world.pass(seconds: 1300)
        let connected = try #require(world.connectedAt)
        func seconds(_ suffix: String, isLast: Bool) throws -> Double {
            let of = world.messages.filter { $0.message.topic.hasSuffix(suffix) }
            return Double(try #require(isLast ? of.last : of.first).at.nanoseconds(since: connected)) / 1e9
        }
        #expect(try seconds("/location", isLast: false) <= 1)
        #expect(try seconds("/event", isLast: true) <= 5)
        #expect(try seconds("/track", isLast: false) >= (try seconds("/event", isLast: true)) - 0.3)
        #expect(try seconds("/track", isLast: true) <= 60)
        #expect(world.queue.isEmpty)
        #expect(world.times.count == 60_680 && world.times.values.allSatisfy { $0 == 1 })
        let tracks = world.arrived.filter { $0 > 0 }
        #expect(Set(tracks) == Set(1...60_680))
    }

    /// Cuts, kills and a broker that loses what it has acknowledged.
    @Test func `MQTT-09: OwnTracks is told in which regions a fix was, and when it was told of later`() throws {
        var world = World { ($0.format, $0.commands) = (.owntracks, [.setWaypoints]) }
        world.pass(seconds: 60)
        let waypoints = """
            {"_type":"cmd","action":"setWaypoints","waypoints":{"waypoints":[
            {"rid":"q1","desc":"Quay","tst":1,"lat":47.1,"lon":8.5,"rad":90}]}}
            """
        world.give(
            .message(topic: "owntracks/sextant/boat/cmd", payload: Array(waypoints.utf8), isRetained: false))
        world.give(.region(identifier: "home", isInside: true))
        world.event(1, region: "q1")
        world.isUp = false
        world.cut()
        world.fix()
        world.pass(seconds: 3600)
        world.fix()
        world.isUp = true
        world.pass(seconds: 1200)
        let told = world.messages.filter { $0.message.topic == "owntracks/sextant/boat" }.map {
            JSONValue.members($0.message.payload)
        }
        let fixes = told.filter { $0.text("t") == nil }
        let old = try #require(fixes.min { ($0.integer("tst") ?? 0) < ($1.integer("tst") ?? 0) })
        #expect(old["inregions"] == .array([.string("home"), .string("Quay")]))
        #expect(old["inrids"] == .array([.string("home"), .string("q1")]))
        #expect((old.integer("created_at") ?? 0) - (old.integer("tst") ?? 0) >= 3600)
        let done = world.messages.last { $0.message.topic.hasSuffix("/done") }?.message.payload ?? []
        #expect(JSONValue.members(done)["ok"] == .bool(true))
    }

    @Test func `MQTT-07: a full queue is thinned evenly, keeps every event, and says what is gone`() {
        var world = World { $0.maximumBytes = 1 << 20 }
        world.isUp = false
        world.cut()
        var largest = 0
        for count in 0..<40_000 {
            world.fix()
            if count % 2000 == 0 { world.event(UInt64(count + 1)) }
            world.pass(seconds: 10)
            largest = max(largest, world.byteCount)
        }
        #expect(largest <= 1 << 20)
        let events = world.queue.values.filter { $0.kind == .event }.map { RecordMembers($0.body) }
        #expect(events.count { $0.kind == .enter } == 20)
        let fixes = world.queue.values.filter { $0.kind == .fix }
        #expect(fixes.count + world.status.thinned == 40_000)
        #expect(events.contains { $0.kind == .thinned })
    }

    @Test func `MQTT-08: on a link that is down nine minutes of ten, each connection begins with the newest`() {
        var world = World()
        for _ in 0..<12 {
            world.isUp = false
            world.cut()
            for _ in 0..<54 {
                world.fix()
                world.pass(seconds: 10)
            }
            world.isUp = true
            let before = world.messages.count
            for _ in 0..<60 {
                world.fix()
                world.pass(seconds: 10)
                if world.messages.count > before { break }
            }
            world.pass(seconds: 60)
            let told = world.messages[before...].map(\.message.topic).filter { !$0.hasSuffix("/health") }
            let first = told.first { $0.hasSuffix("/location") || $0.hasSuffix("/track") }
            #expect(first?.hasSuffix("/location") == true)
        }
    }

    @Test func `a refusal is tried again every ten minutes, and named`() {
        var world = World()
        world.refusal = "not authorized"
        world.cut()
        world.pass(seconds: 3600)
        #expect((5...7).contains(world.attempts.count))
        #expect(world.status.lastError?.contains("not authorized") == true)
    }

    @Test func `MQTT-12: without a time that can be trusted no TLS connection is tried`() {
        var world = World { $0.usesTLS = true }
        world.isTimeKnown = false
        world.kill()
        let before = world.attempts.count
        world.pass(seconds: 3600)
        #expect(world.attempts.count == before && world.status.state == .waitingForTime)
        world.isTimeKnown = true
        world.give(.tick)
        world.pass(seconds: 60)
        #expect(world.isConnected)
    }

    @Test func `MQTT-13: what comes while locations are denied is neither kept nor sent`() {
        var world = World()
        world.pass(seconds: 60)
        world.fix()
        world.pass(seconds: 30)
        world.give(.authorization(.denied("the operator said no")))
        world.pass(seconds: 1)
        #expect(!world.isConnected && world.status.state == .denied)
        let before = world.status.newest
        world.fix()
        world.pass(seconds: 60)
        world.give(.authorization(.full))
        world.pass(seconds: 120)
        #expect(world.status.newest == before && world.queue.isEmpty)
    }

    @Test func `MQTT-13: with reduced accuracy no message has a height, a speed or a course`() {
        var world = World()
        world.give(.authorization(.reduced))
        world.fix {
            ($0.isReduced, $0.altitude, $0.speed, $0.course) = (true, 400, 3, 90)
            $0.horizontalAccuracy = 5000
        }
        world.pass(seconds: 120)
        let texts = world.messages.map { String(decoding: $0.message.payload, as: UTF8.self) }
        #expect(texts.contains { $0.contains("5000") })
        #expect(!texts.contains { $0.contains("ltitude") || $0.contains("speed") || $0.contains("course") })
    }

    @Test func `MQTT-10: while days of backlog drain, the place that is shown as now is none of before`() {
        var world = World { $0.homeAssistant = true }
        world.isUp = false
        world.cut()
        for _ in 0..<25_920 {
            world.fix()
            world.pass(seconds: 10)
        }
        world.isUp = true
        for _ in 0..<120 {
            world.fix()
            world.pass(seconds: 10)
        }
        let shown = world.messages.filter { $0.message.topic == Self.place }
        #expect(shown.count > 50)
        for (at, message) in shown {
            let time = JSONValue.members(message.payload).text("time").flatMap { UTCInstant(iso8601: $0) }
            let now = World.start.advanced(byNanoseconds: at.nanoseconds(since: .zero))
            #expect(time.map { now.nanoseconds(since: $0) <= 60_000_000_000 } ?? false)
        }
        #expect(world.queue.isEmpty)
    }

    @Test(arguments: [UplinkConfiguration.Connection.kept, .every(seconds: 900)])
    func `MQTT-14: with nothing to send it wakes for its reports and its bursts alone`(
        connection: UplinkConfiguration.Connection
    ) {
        var world = World { $0.connection = connection }
        world.fix()
        world.pass(seconds: 3600)
        let before = world.wakes
        world.pass(seconds: 86_400)
        // A report an hour; a burst needs its beginning alone.
        #expect(world.wakes - before <= (connection == .kept ? 24 : 2 * 96))
    }

    @Test func `a fix after a quarter of an hour of silence goes out on the connection that is there`() {
        var world = World()
        world.pass(seconds: 60)
        let attempts = world.attempts.count
        for _ in 0..<10 {
            world.pass(seconds: 900)
            world.fix()
            world.pass(seconds: 0.05)
            world.give(.tick)
        }
        world.pass(seconds: 5)
        #expect(world.attempts.count == attempts && world.queue.isEmpty)
    }

    @Test func `MQTT-15: a thousand devices that a broker has lost come back within the spread, not all at once`() {
        var attempts = [Int](repeating: 0, count: 30)
        for device in 0..<1000 {
            var world = World(seed: UInt64(device)) { $0.spread = 30 }
            world.pass(seconds: 40)
            let before = world.attempts.count
            world.cut()
            let cut = world.now
            world.pass(seconds: 40)
            let seconds = world.attempts.dropFirst(before).first.map { Int($0.nanoseconds(since: cut) / 1_000_000_000) }
            #expect(world.isConnected)
            attempts[seconds ?? 0] += 1
        }
        #expect(attempts.reduce(0, +) == 1000)
        #expect((attempts.max() ?? 0) <= 3 * 1000 / 30)
    }

    @Test func `MQTT-16: a broker that never answers, and one that acknowledges nothing, are left; nothing is lost`() {
        var world = World()
        world.greets = false
        world.cut()
        for number in 1...20 {
            world.fix()
            world.event(UInt64(number))
            world.pass(seconds: 60)
        }
        #expect(world.status.lastError == "the broker did not answer in 30 s" && world.messages.isEmpty)
        (world.greets, world.acknowledges) = (true, false)
        world.pass(seconds: 3600)
        #expect(world.status.repeated > 0 && world.queue.count == 40)
        world.acknowledges = true
        world.pass(seconds: 3600)
        #expect(world.queue.isEmpty && world.times.count == 40)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{\"do\":5}", "{\"do\":\"locate\",\"id\":{}}", "{\"do\":\"regions\"}",
        "{\"series\":\"00000007\",\"upTo\":1e300}", "{\"series\":\"00000007\",\"upTo\":9007199254740993}",
        "{\"series\":\"ffffffff\",\"upTo\":1}", "{\"series\":\"00000007\",\"upTo\":-1}",
    ])
    func `MQTT-16: what a stranger says on its topics loses nothing`(text: String) {
        var world = World {
            ($0.delivery, $0.commands, $0.homeAssistant) = (.receiver, [.locate, .regions], true)
        }
        world.pass(seconds: 60)
        world.isDeaf = true
        world.fix()
        world.event(1)
        for topic in ["ack", "do"].map({ "sextant/1/boat/" + $0 }) + ["homeassistant/status", "sextant/1/boat/#"] {
            for payload in [Array(text.utf8), [0xFF, 0], [UInt8](repeating: 0x5B, count: 100_000)] {
                world.give(.message(topic: topic, payload: payload, isRetained: false))
            }
        }
        world.pass(seconds: 1)
        #expect(world.isConnected && world.queue.count == 2)
    }

    @Test func `whoever asks for what waits has the next attempt made at once`() {
        var world = World()
        world.refusal = "not authorized"
        world.cut()
        world.pass(seconds: 30)
        world.refusal = nil
        world.give(.sendNow)
        world.pass(seconds: 1)
        #expect(world.isConnected)
    }

    /// The topic of the newest location, which is retained.
    private static let place = "sextant/1/boat/location"

    @Test(arguments: [true, false])
    func `MQTT-13: once denied, the broker retains no place, and the session ends within a second`(isOnTheWay: Bool) {
        var world = World()
        world.pass(seconds: 60)
        world.fix()
        world.pass(seconds: 30)
        #expect(world.retained[Self.place] != nil)
        // Denied while the network is gone, the place is cleared by a session of its own.
        if !isOnTheWay { world.isUp = false; world.cut() }
        world.give(.authorization(.denied("the operator said no")))
        world.pass(seconds: 1)
        #expect(!world.isConnected && (world.retained[Self.place] == nil) == isOnTheWay)
        world.isUp = true
        world.kill(.denied("the operator said no"))
        world.pass(seconds: 1200)
        #expect(world.retained[Self.place] == nil && !world.hasRetained && !world.isConnected)
        let attempts = world.attempts.count
        world.pass(seconds: 86_400)
        #expect(world.attempts.count == attempts)
    }

    @Test func `MQTT-13: erased, nothing waits and the broker retains no place; what comes later is told`() {
        var world = World()
        world.pass(seconds: 60)
        world.fix()
        world.pass(seconds: 30)
        world.isUp = false
        world.cut()
        world.event(1)
        world.fix()
        world.give(.erase)
        #expect(world.queue.isEmpty)
        world.isUp = true
        let before = world.messages.count
        world.pass(seconds: 1200)
        #expect(world.retained[Self.place] == nil && !world.hasRetained)
        #expect(
            !world.messages[before...].contains { String(decoding: $0.message.payload, as: UTF8.self).contains("47") })
        world.fix(latitude: 48)
        world.pass(seconds: 60)
        #expect(world.retained[Self.place] != nil && world.times.count == 2)
    }

    @Test func `an event goes to the topic that the daemon names, too, and counts once both have it`() {
        var world = World()
        world.pass(seconds: 60)
        world.event(1, topic: "harbour/boat")
        world.event(2)
        world.pass(seconds: 5)
        let topics = world.messages.map(\.message.topic).filter { $0 == "harbour/boat" || $0.hasSuffix("/event") }
        #expect(topics == ["harbour/boat", "sextant/1/boat/event", "sextant/1/boat/event"])
        #expect(world.queue.isEmpty)
    }

    @Test func `MQTT-13: a region's event of before waits, with its name, while accuracy is reduced`() {
        var world = World()
        world.isUp = false
        world.cut()
        world.event(1, topic: "harbour/boat")
        world.give(.authorization(.reduced))
        world.isUp = true
        world.pass(seconds: 1200)
        #expect(world.isConnected && !world.messages.contains { $0.message.topic == "harbour/boat" })
        #expect(world.times.isEmpty && world.queue.count == 1)
        world.give(.authorization(.full))
        world.pass(seconds: 60)
        #expect(world.times.count == 1)
    }

    @Test func `MQTT-09: OwnTracks gets whole seconds, an accuracy above 0 and km per hour`() throws {
        var world = World { $0.format = .owntracks }
        world.pass(seconds: 60)
        world.fix { ($0.horizontalAccuracy, $0.speed, $0.course) = (0.2, 10, 359.7) }
        world.pass(seconds: 5)
        let message = try #require(world.messages.map(\.message).last { $0.topic == "owntracks/sextant/boat" })
        let members = JSONValue.members(message.payload)
        #expect(members.text("_type") == "location" && members.number("acc") == 1)
        #expect(members.number("vel") == 36 && members.number("cog") == 0)
        #expect(members.integer("tst") != nil && members.text("_id") == "00000007-1")
    }

    @Test func `MQTT-09: OwnTracks is told why a place is reported`() {
        var world = World { ($0.format, $0.commands) = (.owntracks, [.reportLocation]) }
        world.pass(seconds: 60)
        func report(_ cause: (inout World) -> Void) -> String? {
            cause(&world)
            world.pass(seconds: 30)
            let last = world.messages.map(\.message).last { $0.topic == "owntracks/sextant/boat" }
            return JSONValue.members(last?.payload ?? []).text("t")
        }
        #expect(report { $0.fix() } == nil)
        #expect(report { $0.event(1) } == "c")
        #expect(report { $0.give(.sendNow) } == "u")
        let command = Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)
        let isAsked = report {
            $0.give(.message(topic: "owntracks/sextant/boat/cmd", payload: command, isRetained: false))
            $0.fix()
        }
        #expect(isAsked == "r")
        #expect(report { $0.fix() } == nil)
    }
}
