import Doctor
import Testing

/// An uplink that cannot reach its broker is found.
struct UplinkTrapTests {
    private static let dropIn = "/etc/systemd/system/sextant-uplink.service.d/broker.conf"

    private static var system: System {
        var system = System.zero2W
        system.tree["/etc/systemd/system/multi-user.target.wants/sextant-uplink.service"] = ""
        system.tree[dropIn] = "[Service]\nIPAddressAllow=192.0.2.7 192.0.2.53\n"
        return system
    }

    @Test func `an uplink whose network is open to a broker has no trouble, and none where it is off`() {
        #expect(Self.system.troubles == [])
        #expect(System.zero2W.troubles == [])
    }

    @Test(arguments: [("mqtt://localhost", 0), ("mqtts://[::1]:8884", 0), ("mqtts://broker.example", 1)])
    func `a broker on this machine needs no drop-in`(broker: String, troubles: Int) {
        var system = Self.system
        system.tree[Self.dropIn] = nil
        let settings = "{\n    // broker: \"mqtt://localhost\"\n    broker: \"\(broker)\",\n}\n"
        system.tree["/etc/sextant/uplink.json5"] = settings
        #expect(system.troubles.count == troubles)
    }

    @Test func `an uplink without the drop-in is reported`() {
        var system = Self.system
        system.tree[Self.dropIn] = nil
        #expect(
            system.troubles == [
                "uplink: sextant-uplink.service may reach a broker on this machine alone; \(Self.dropIn): sudo "
                    + "sextant-uplink --drop-in prints what opens it, then: sudo systemctl daemon-reload && sudo "
                    + "systemctl restart sextant-uplink.service"
            ])
    }
}
