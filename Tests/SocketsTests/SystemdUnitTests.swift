import Testing

@testable import SextantSockets

@Suite("SystemdUnit")
struct SystemdUnitTests {
    /// The form of cgroups(7), and systemd's own layout of slices, units and user managers.
    @Test(
        arguments: [
            ("0::/system.slice/tracker.service\n", "tracker.service"),
            ("0::/system.slice/system-getty.slice/getty@tty1.service\n", "getty@tty1.service"),
            ("0::/tracker.service\n", "tracker.service"),
            ("0::/user.slice/user-1000.slice/session-3.scope\n", "session-3.scope"),
            ("0::/system.slice/a:b.service\n", "a:b.service"),
            ("0::/system.slice/_cgroup.service\n", "cgroup.service"),
            ("0::/system.slice/tracker.service/workers/1\n", "tracker.service"),
        ])
    func `the unit is that of the innermost slice`(text: String, unit: String) {
        #expect(SystemdUnit.name(inControlGroups: text) == unit)
    }

    @Test(
        arguments: [
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/tracker.service\n",
                "user@1000.service/tracker.service"
            ),
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope/system.slice/tracker.service\n",
                "user@1000.service/x.scope"
            ),
            ("0::/user.slice/user-1000.slice/user@1000.service/mine/tracker.service\n", "user@1000.service"),
            ("0::/user.slice/user-1000.slice/user@1000.service\n", "user@1000.service"),
        ])
    func `a unit of a user's manager is named as that user's, never as the system's`(text: String, unit: String) {
        #expect(SystemdUnit.name(inControlGroups: text) == unit)
    }

    @Test(
        arguments: [
            "", "\n", "0::/\n", "0::/system.slice\n", "0::/../tracker.service\n", "0::tracker.service\n",
            "0::/docker/0123/system.slice/tracker.service\n", "0::/system.slice/.service\n",
            "0::/system.slice/tracker.service (deleted)\n", "5:devices:/system.slice/tracker.service\n",
            "no line at all",
        ])
    func `a control group that systemd does not manage has no unit`(text: String) {
        #expect(SystemdUnit.name(inControlGroups: text) == nil)
    }

    @Test func `the hierarchy named systemd takes precedence over the unified one`() {
        let both =
            "9:name=systemd:/system.slice/a.service\n8:pids:/system.slice/b.service\n0::/system.slice/c.service\n"
        #expect(SystemdUnit.name(inControlGroups: both) == "a.service")
        let foreign = "9:name=systemd:/elsewhere\n0::/system.slice/c.service\n"
        #expect(SystemdUnit.name(inControlGroups: foreign) == nil)
    }

    @Test func `at the root of the hierarchy named systemd the unified hierarchy is used`() {
        let text = "9:name=systemd:/\n0::/system.slice/c.service\n"
        #expect(SystemdUnit.name(inControlGroups: text) == "c.service")
    }
}

@Suite("ProcessStart")
struct ProcessStartTests {
    @Test func `the start time is field 22, whatever the command's name contains`() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 3464904 20 21\n"
        #expect(ProcessStart.ticks(inStatus: "2943 (cat) \(rest)") == 3_464_904)
        #expect(ProcessStart.ticks(inStatus: "2943 (a) b (c) \(rest)") == 3_464_904)
    }

    @Test(arguments: ["", "1 (cat", "1 (cat) S 1 2 3", "1 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 -1 0"])
    func `an invalid status text has no start time`(text: String) {
        #expect(ProcessStart.ticks(inStatus: text) == nil)
    }
}
