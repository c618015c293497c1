import SextantJSON
import SextantUnits
import Testing

@testable import SextantUplink

@Suite("When a record of the uplink has arrived") struct DeliveryTests {
    @Test(arguments: 1...20) func `MQTT-03: with a receiver's word nothing is lost, whatever is killed`(seed: Int) {
        var world = World { $0.delivery = .receiver }
        var random = UInt64(seed)
        world.loses = 9
        var number: UInt64 = 0
        for _ in 0..<400 {
            random = SplitStep.next(random)
            switch random % 20 {
            case 0: world.kill()
            case 1: world.cut()
            case 2: world.isUp.toggle()
            case 3, 4:
                number += 1
                world.event(number)
                if random & 64 != 0 { world.event(number) }
            default: world.fix()
            }
            world.pass(seconds: Double(random >> 40 & 7))
        }
        world.isUp = true
        world.loses = 0
        world.pass(seconds: 20_000)
        #expect(world.queue.isEmpty)
        #expect(world.times.count == Int(world.status.newest))
        #expect(Set(world.acknowledged) == (number == 0 ? [] : Set(1...number)))
    }

    @Test func `MQTT-03: what the receiver had stored before a kill is not sent again`() {
        var world = World { $0.delivery = .receiver }
        world.pass(seconds: 30)
        world.fix()
        world.event(1)
        // They are stored, and the uplink ends before the receiver's word reaches it.
        world.pass(seconds: 0.15)
        #expect(world.times.count == 2 && world.queue.count == 2)
        world.kill()
        world.pass(seconds: 30)
        #expect(world.times == [1: 1, 2: 1] && world.queue.isEmpty)
    }

    @Test(arguments: [true, false])
    func `MQTT-03: of what was sent, only what the receiver lacks is sent again, after a kill and after a minute`(
        isKilled: Bool
    ) {
        var world = World { $0.delivery = .receiver }
        world.pass(seconds: 30)
        world.loses = 1
        world.fix()
        world.pass(seconds: 2)
        world.loses = 0
        world.fix()
        world.event(1)
        world.pass(seconds: 2)
        #expect(world.times == [2: 1, 3: 1] && world.queue.count == 3)
        if isKilled { world.kill() }
        world.pass(seconds: 100)
        #expect(world.times == [1: 1, 2: 1, 3: 1] && world.queue.isEmpty)
    }

    @Test func `a receiver that does not say what it has is waited for no longer than five seconds`() {
        var world = World { $0.delivery = .receiver }
        world.pass(seconds: 30)
        world.isDeaf = true
        world.event(1)
        world.pass(seconds: 1)
        world.kill()
        world.event(2)
        world.pass(seconds: 30)
        #expect(world.times == [1: 2, 2: 1])
    }

    @Test func `a broker that has forgotten the session gets no record before the receiver answers, for 5 s`() {
        var world = World { ($0.delivery, $0.spread) = (.receiver, 0) }
        world.pass(seconds: 30)
        world.fix()
        world.pass(seconds: 5)
        (world.remembers, world.loses) = (false, 1)
        world.cut()
        world.pass(seconds: 2)
        world.fix()
        world.pass(seconds: 2)
        world.loses = 0
        world.pass(seconds: 5)
        #expect(world.times == [1: 1, 2: 1] && world.queue.isEmpty)
    }

    @Test func `what the receiver does not acknowledge is sent again, without any new connection`() {
        var world = World { $0.delivery = .receiver }
        world.pass(seconds: 30)
        world.loses = 1
        world.fix()
        world.event(1)
        world.pass(seconds: 50)
        #expect(world.times.isEmpty && world.queue.count == 2)
        world.loses = 0
        let attempts = world.attempts.count
        world.pass(seconds: 200)
        #expect(world.times.count == 2 && world.queue.isEmpty && world.attempts.count == attempts)
    }

    @Test(arguments: 1...20) func `MQTT-04: with the broker's word nothing is lost by kills of the uplink`(seed: Int) {
        var world = World()
        var random = UInt64(seed)
        for count in 0..<300 {
            random = SplitStep.next(random)
            switch random % 12 {
            case 0: world.kill()
            case 1: world.cut()
            case 2: world.event(UInt64(count + 1))
            default: world.fix()
            }
            world.pass(seconds: Double(random >> 40 & 7))
        }
        world.pass(seconds: 2000)
        #expect(world.queue.isEmpty)
        #expect(world.times.count == Int(world.status.newest))
    }

    @Test(arguments: UplinkConfiguration.Delivery.allCases)
    func `a record that was sent awaits its word, also where the connection ends meanwhile`(
        delivery: UplinkConfiguration.Delivery
    ) {
        var world = World { $0.delivery = delivery }
        world.pass(seconds: 60)
        #expect(!world.uplink.awaitsWord)
        (world.acknowledges, world.isDeaf) = (delivery == .receiver, true)
        world.fix()
        world.pass(seconds: 5)
        #expect(world.uplink.awaitsWord)
        world.cut()
        #expect(world.uplink.awaitsWord)
        (world.acknowledges, world.isDeaf) = (true, false)
        world.pass(seconds: 300)
        #expect(!world.uplink.awaitsWord)
    }

    @Test(arguments: UplinkConfiguration.Delivery.allCases)
    func `what cannot be read for a while is not taken for delivered, and is sent afterwards`(
        delivery: UplinkConfiguration.Delivery
    ) {
        var world = World { $0.delivery = delivery }
        (world.isUp, world.isReadable) = (false, false)
        world.cut()
        for number in 1...600 {
            world.fix()
            if number % 100 == 0 { world.event(UInt64(number)) }
            world.pass(seconds: 1)
        }
        world.isUp = true
        for _ in 0..<60 {
            world.fix()
            world.pass(seconds: 10)
        }
        world.isReadable = true
        world.pass(seconds: 3600)
        #expect(world.times.count == 666 && world.times.values.allSatisfy { $0 == 1 } && world.queue.isEmpty)
    }
}
