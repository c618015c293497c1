import Doctor
import Testing

/// Each trap around the daemon itself is found.
struct ServiceTrapTests {
    @Test func `a missing user and a missing group are reported`() {
        var system = System.zero2W
        system.tree.replace("sextant:x:995:994:Sextant,,,:/nonexistent:/usr/sbin/nologin", with: "", in: "/etc/passwd")
        system.tree.replace("sextant:x:994:", with: "", in: "/etc/group")
        #expect(
            system.troubles == [
                "user: there is no user sextant, whom sextantd.service runs as; /etc/passwd: sudo groupadd --force "
                    + "--system sextant && sudo useradd --system --gid sextant --home-dir /nonexistent "
                    + "--shell /usr/sbin/nologin sextant",
                "user: there is no group sextant, which sextantd.service needs; "
                    + "/etc/group: sudo groupadd --system sextant",
            ])
    }

    @Test func `a service that cannot use its configuration is reported with the reason that it gives`() {
        var system = System.zero2W
        system.live.serviceProblems = []
        #expect(system.troubles == [])
        let reason = "/etc/sextant/page.json5: hots is no key of this file; the keys are hosts and map"
        system.live.serviceProblems = [("sextant-page.socket", reason)]
        #expect(system.troubles == ["services: sextant-page.socket cannot use its configuration; \(reason)"])
    }

    @Test func `a missing file of udev rules is reported`() {
        var system = System.zero2W
        system.tree["/lib/udev/rules.d/60-sextant.rules"] = nil
        #expect(
            system.troubles == [
                "udev-rules: the rules that give the daemon its devices are not installed; "
                    + "/lib/udev/rules.d/60-sextant.rules: install the package sextant anew"
            ])
    }

    @Test func `a daemon that does not start with the system is reported`() {
        var system = System.zero2W
        system.tree.remove("/etc/systemd/system/multi-user.target.wants/sextantd.service")
        #expect(
            system.troubles == [
                "service: sextantd.service is not started with the system; sudo systemctl enable --now sextantd.service"
            ])
        system.enable("sextantd.socket", in: "sockets.target")
        #expect(system.troubles == [])
    }

    @Test func `two running daemons are reported`() {
        var system = System.zero2W
        system.process(977, "sextantd", terminal: 0x8801)
        #expect(
            system.troubles == [
                "daemons: 2 daemons run (processes 412, 977), and one receiver serves one; "
                    + "stop those that systemd did not start: systemctl status sextantd.service names the one it did"
            ])
    }

    @Test func `a store written by a later release is reported`() {
        var system = System.zero2W
        var head = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        head[63] = 2
        system.tree.put(head, at: "/var/lib/sextant/state.sqlite")
        system.tree.folder("/var/lib/sextant", owner: 995, mode: 0o700)
        #expect(system.troubles == [])
        head[63] = 7
        system.tree.put(head, at: "/var/lib/sextant/state.sqlite")
        #expect(
            system.troubles == [
                "store-version: the store was written in version 7 by a later release, "
                    + "and this one knows version 2 at most; "
                    + "/var/lib/sextant/state.sqlite: install the later release again, or move the file away"
            ])
    }

    @Test func `a missing state directory, or one owned by another user, is reported`() {
        var system = System.zero2W
        system.tree.remove("/var/lib/sextant")
        #expect(
            system.troubles == [
                "store: there is no state directory /var/lib/sextant; "
                    + "sudo install -d -m 700 -o sextant -g sextant /var/lib/sextant"
            ])
        system.tree.folder("/var/lib/sextant", owner: 1000, mode: 0o755)
        #expect(
            system.troubles == [
                "store: sextant may not write to the state directory /var/lib/sextant; "
                    + "name a folder of its own as stateDirectory, or: sudo chown sextant: /var/lib/sextant"
            ])
    }

    @Test func `a state directory that the daemon's unit keeps shut is reported, and one that it opens is not`() {
        var system = System.zero2W
        system.tree.folder("/srv/sextant", owner: 995, mode: 0o700)
        let unit = "/lib/systemd/system/sextantd.service"
        let strict = "[Service]\nUser=sextant\nStateDirectory=sextant\nProtectSystem=strict\n"
        system.tree[unit] = strict
        #expect(system.troubles == [])
        system.installation.stateDirectory = "/srv/sextant"
        #expect(
            system.troubles == [
                "store: the daemon's unit does not let it write to the state directory /srv/sextant; "
                    + "stateDirectory: \"/var/lib/sextant\"; or sudo systemctl edit sextantd, with the lines [Service] "
                    + "and ReadWritePaths=/srv/sextant"
            ])
        system.tree[unit] = strict + "ReadWritePaths=/srv\n"
        #expect(system.troubles == [])
        // systemd adds them up, as where two drop-ins have one each.
        system.tree[unit] = strict + "ReadWritePaths=/srv\nReadWritePaths=/mnt\n"
        #expect(system.troubles == [])
    }

    @Test func `files of the store that another user has, and decisions that were lost`() {
        var system = System.zero2W
        let path = "/var/lib/sextant/state.decisions"
        system.tree.put(Array("sextant decisions 1\n".utf8) + [0], at: path)
        #expect(system.troubles == [])
        system.tree.put(Array("sextant decisions 1\n".utf8) + [1], at: path)
        #expect(
            system.troubles == [
                "store: what was decided about clients was lost, so location services are off and no client is "
                    + "authorized by the policy alone; \(path): decide anew with sextant services on and sextant "
                    + "clients; or, to begin from the policy, stop sextantd and delete this file"
            ])
        system.tree.put([], at: path)
        system.tree.give(path, to: 1000, mode: 0o600)
        #expect(
            system.troubles == [
                "store: sextant may not read and write \(path), so what it holds is unknown; "
                    + "\(path): sudo chown sextant:"
            ])
    }

    @Test func `a read-only root file system, and one that loses its changes, are reported`() {
        var system = System.zero2W
        system.tree["/proc/mounts"] = "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n"
        #expect(
            system.troubles == [
                "storage: the state directory /var/lib/sextant is on a read-only file system; mount a file system that "
                    + "may be written at /var/lib/sextant, or remount /: sudo mount -o remount,rw /"
            ])
        system.tree["/proc/mounts"] = "/dev/mmcblk0p2 / ext4 ro 0 0\noverlay / overlay rw,lowerdir=/media/root-ro 0 0\n"
        #expect(
            system.troubles == [
                "storage: what is kept in /var/lib/sextant is lost with the next restart; "
                    + "/etc/fstab: mount a partition of the card there"
            ])
        system.tree["/proc/mounts"] =
            "overlay / overlay rw 0 0\n/dev/mmcblk0p3 /var/lib/sextant ext4 rw,noatime 0 0\n"
        #expect(system.troubles == [])
    }

    @Test func `a nearly full card is reported`() {
        var system = System.zero2W
        system.tree.free = 20 << 20
        #expect(
            system.troubles == [
                "storage: 20 MiB are free where /var/lib/sextant is; "
                    + "make room: sudo apt-get clean, sudo journalctl --vacuum-size=50M"
            ])
    }

    @Test func `client manifests owned or writable by others are reported`() {
        var system = System.zero2W
        system.tree.give("/etc/sextant/clients.d/command.json5", to: 1000, mode: 0o644)
        system.tree.give("/etc/sextant/policy.json5", to: 0, mode: 0o664)
        #expect(
            system.troubles == [
                "client-files: /etc/sextant/clients.d/command.json5 belongs to pi, so it is not used; "
                    + "/etc/sextant/clients.d/command.json5: sudo chown root",
                "client-files: other users may write /etc/sextant/policy.json5, so it is not used; "
                    + "/etc/sextant/policy.json5: sudo chmod go-w",
            ])
    }

    @Test func `a rule of the policy for a name that no manifest has is noted`() {
        var system = System.zero2W
        system.installation.rulesWithoutClient = ["trakcer"]
        #expect(system.troubles == [])
        #expect(
            system.examination.findings.filter { $0.check == .configuration }.map(\.line) == [
                "the policy has a rule for trakcer, which is no client's name; "
                    + "/etc/sextant/policy.json5: correct the name, or write the manifest"
            ])
    }

    @Test func `clients' files that are not there are reported`() {
        var system = System.zero2W
        system.tree.remove("/etc/sextant/policy.json5")
        #expect(
            system.troubles == [
                "client-files: /etc/sextant/policy.json5 is not there, so no client is allowed by it; "
                    + "/etc/sextant/sextant.json5: put it back, or name another under clients"
            ])
    }

    @Test func `a board without any time source is noted`() {
        var system = System.zero2W
        system.tree.remove("/etc/systemd/system/sysinit.target.wants/systemd-timesyncd.service")
        #expect(system.examination.findings.contains { $0.check == .clock && $0.severity == .note })
        system.tree["/sys/class/rtc/rtc0/name"] = "rtc-ds1307 1-0068\n"
        #expect(!system.examination.findings.contains { $0.check == .clock })
    }

    @Test(arguments: [("0", false), ("1299999", false), ("2964099", true)])
    func `a Raspberry Pi 5's clock counts as a time source only with a backup cell`(microvolts: String, isTold: Bool) {
        var system = System.fiveB
        system.tree.remove("/etc/systemd/system/sysinit.target.wants/systemd-timesyncd.service")
        system.tree["/sys/class/rtc/rtc0/name"] = "rpi-rtc soc:rpi_rtc\n"
        system.tree["/sys/class/rtc/rtc0/battery_voltage"] = "\(microvolts)\n"
        #expect(system.examination.findings.contains { $0.check == .clock } == !isTold)
    }

    @Test func `an undervoltage is reported`() {
        var system = System.zero2W
        system.tree["/sys/class/hwmon/hwmon1/name"] = "rpi_volt\n"
        system.tree["/sys/class/hwmon/hwmon1/in0_lcrit_alarm"] = "1\n"
        #expect(
            system.troubles == [
                "supply: the supply fell below 4.63 V; use a shorter or thicker cable, or a stronger supply"
            ])
    }

    @Test func `a table of places that cannot be read, an old one and none are reported`() {
        var system = System.zero2W
        let path = "/usr/share/sextant/places.sqlite"
        let install =
            "sudo apt install ./sextant-places_*_all.deb (scripts/package --with-places of Sextant's sources makes it)"
        system.live.placeTables = [PlaceTableFacts(path: path, date: "2026-01-02", ageInDays: 300)]
        #expect(system.troubles == [])
        system.live.placeTables = [PlaceTableFacts(path: path, problem: "places.sqlite is not a table of places")]
        #expect(
            system.troubles == [
                "places: places.sqlite is not a table of places; \(path): install it again: \(install)"
            ])
        let own = "/usr/local/share/sextant/places/lake.sqlite"
        system.live.placeTables = [PlaceTableFacts(path: own, problem: "lake.sqlite is not a table of places")]
        #expect(
            system.troubles == [
                "places: lake.sqlite is not a table of places; \(own): make it again: sextant places import"
            ])
        var newer = PlaceTableFacts(path: own, problem: "lake.sqlite has format 3")
        newer.isOfLaterSextant = true
        system.live.placeTables = [newer]
        #expect(system.troubles == ["places: lake.sqlite has format 3; \(own): install the newest Sextant"])
        system.live.placeTables = [PlaceTableFacts(path: path, date: "2024-01-02", ageInDays: 731)]
        #expect(notes(system) == ["the names of places are those of 2024-01-02"])
        system.live.placeTables = []
        #expect(notes(system) == ["no table of places is installed, so places have no names"])
        #expect(
            Examination(system.facts, [.places]).findings.map(\.mend.action) == ["if names are wanted: \(install)"])
    }

    private func notes(_ system: System) -> [String] {
        let examination = Examination(system.facts, [.places])
        return examination.isContent ? examination.findings.map(\.what) : []
    }
}
