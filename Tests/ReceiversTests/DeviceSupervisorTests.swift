import Receivers
import SextantUnits
import Testing

private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

@Suite("Device supervisor")
struct DeviceSupervisorTests {
    @Test func `a missing device is not opened again until it appears`() {
        var supervisor = DeviceSupervisor()
        supervisor.failed(.missing, at: at(0))
        #expect(supervisor.deadline == nil)
        #expect(!supervisor.timePassed(to: at(1e6)))
        #expect(supervisor.appeared())
    }

    @Test func `a refused device is tried again after growing waits`() {
        var supervisor = DeviceSupervisor()
        var now = 0.0
        for wait in [1.0, 2, 5, 10, 30, 60, 60, 60] {
            supervisor.failed(.refused, at: at(now))
            #expect(supervisor.deadline == at(now + wait))
            #expect(!supervisor.timePassed(to: at(now + wait - 0.001)))
            #expect(supervisor.timePassed(to: at(now + wait)))
            now += wait
        }
    }

    @Test func `the appearance of a device that is already open is ignored`() {
        var supervisor = DeviceSupervisor()
        #expect(!supervisor.appeared())
        supervisor.opened()
        #expect(!supervisor.appeared())
        #expect(supervisor.deadline == nil)
    }

    @Test func `the waits begin again with the shortest after the device was open`() {
        var supervisor = DeviceSupervisor()
        supervisor.failed(.refused, at: at(0))
        supervisor.failed(.refused, at: at(1))
        supervisor.opened()
        supervisor.failed(.refused, at: at(100))
        #expect(supervisor.deadline == at(101))
    }
}
