import Testing

@Suite("The sandboxes of host sleep")
struct SandboxTests {
    @Test func `SLEEP-17: the daemon's sandbox has no way to power off`() throws {
        let unit = try text(of: "scripts/systemd/sextantd.service")
        for line in [
            "User=sextant", "CapabilityBoundingSet=", "AmbientCapabilities=", "NoNewPrivileges=yes",
            "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "DevicePolicy=closed", "ProtectSystem=strict",
            "SystemCallFilter=~@privileged @resources",
        ] {
            #expect(unit.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        for word in ["dbus", "login1", "polkit", "vcio", "sextant-host"] {
            #expect(!unit.contains(word), "\(word)")
        }
    }

    @Test func `a Raspberry Pi 5's clock is the daemon's by the package sextant-host alone`() throws {
        let unit = try text(of: "scripts/host/sextantd.service.conf").split(separator: "\n")
        #expect(unit.filter { $0.hasPrefix("DeviceAllow=") } == ["DeviceAllow=/dev/vcio rw", "DeviceAllow=char-rtc r"])
        let files = try text(of: "scripts/debian/sextant-host.files")
        #expect(files.contains("lib/systemd/system/sextantd.service.d/sextant-host.conf"))
        // The clock's own driver is on no other board.
        let rule = try text(of: "udev/61-sextant-host.rules").split(separator: "\n").filter { $0.contains("vcio") }
        #expect(rule.count == 1 && rule.allSatisfy { $0.contains(#"ATTR{name}=="rpi-rtc*""#) })
    }

    @Test func `SLEEP-17: the rule of polkit grants the helper's user a power-off, and nothing else`() throws {
        let rule = try text(of: "scripts/polkit/50-sextant-host.rules")
        #expect(rule.contains(#"action.id === "org.freedesktop.login1.power-off" && subject.user === "sextant-host""#))
        #expect(rule.split(separator: "polkit.Result.YES").count == 2)
        #expect(!rule.contains("-multiple-sessions") && !rule.contains("-ignore-inhibit"))
    }

    @Test func `SLEEP-17: the helper has its own user, no network and no capability`() throws {
        let unit = try text(of: "scripts/systemd/sextant-host.service").split(separator: "\n")
        for line in [
            "User=sextant-host", "CapabilityBoundingSet=", "NoNewPrivileges=yes", "PrivateNetwork=yes",
            "RestrictAddressFamilies=AF_UNIX", "DevicePolicy=closed", "ProtectSystem=strict",
        ] {
            #expect(unit.contains { $0 == line }, "\(line)")
        }
    }

    @Test func `a board whose owner has not enabled it has no process and no wake-up of host sleep`() throws {
        let rules = try text(of: "scripts/debian/rules")
        #expect(rules.contains("-psextant-host --no-enable --no-start sextant-host.path"))
        #expect(try !text(of: "scripts/debian/sextant-host.files").contains(".wants"))
    }
}
