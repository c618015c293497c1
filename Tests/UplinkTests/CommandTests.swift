import SextantJSON
import SextantUnits
import Testing

@testable import SextantUplink

@Suite("What the uplink obeys") struct CommandTests {
    @Test func `once a place was asked for and told, the live ones keep their ten seconds again`() {
        var world = World { $0.commands = [.locate] }
        world.pass(seconds: 60)
        let command = Array(#"{"do":"locate","id":"a"}"#.utf8)
        world.give(.message(topic: "sextant/1/boat/do", payload: command, isRetained: false))
        for _ in 0..<100 {
            world.fix()
            world.pass(seconds: 1)
        }
        let live = world.messages.filter { $0.message.topic == "sextant/1/boat/location" }
        #expect((10...12).contains(live.count))
    }

    @Test func `MQTT-11: a hundred commands in ten seconds are obeyed six times, a retained one never`() {
        var world = World { $0.commands = [.locate] }
        world.pass(seconds: 60)
        let topic = "sextant/1/boat/do"
        for count in 0..<100 {
            let text = "{\"do\":\"locate\",\"id\":\"c\(count)\"}"
            world.give(.message(topic: topic, payload: Array(text.utf8), isRetained: false))
            world.pass(seconds: 0.1)
        }
        #expect((5...6).contains(world.commands.count))
        #expect(world.remembered == world.commands.count)
        let obeyed = world.commands.count
        world.pass(seconds: 600)
        world.give(.message(topic: topic, payload: Array("{\"do\":\"locate\",\"id\":\"r\"}".utf8), isRetained: true))
        #expect(world.commands.count == obeyed)
    }

    @Test func `nothing is obeyed that the configuration does not name`() {
        var world = World()
        world.pass(seconds: 60)
        world.give(
            .message(
                topic: "sextant/1/boat/do", payload: Array("{\"do\":\"locate\",\"id\":\"a\"}".utf8), isRetained: false))
        #expect(world.commands.isEmpty)
    }

    @Test func `an event that the daemon repeats is acknowledged again, and sent once`() {
        var world = World()
        world.event(5)
        world.kill()
        world.event(5)
        world.pass(seconds: 120)
        #expect(world.times.values.reduce(0, +) == 1 && world.acknowledged == [5, 5])
    }
}
