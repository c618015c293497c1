import Access
import Configuration
import Glibc
import SextantSockets
import TestSupport
import Testing

@Suite("Manifest file")
struct ManifestFileTests {
    let folder = TemporaryFolder.withClients

    private func read(_ text: String, as name: String = "tracker.json5") throws(ConfigurationError) -> ClientManifest {
        let path = (try? folder.manifest(name, text)) ?? ""
        return try ManifestFile.manifest(readFrom: path, accounts: .forTests)
    }

    /// The error that a manifest with this text gives, without the file's name.
    private func complaint(_ text: String, as name: String = "tracker.json5") -> String? {
        do throws(ConfigurationError) {
            _ = try read(text, as: name)
            return nil
        } catch {
            let path = "\(folder.clients)/\(name): "
            #expect(error.description.hasPrefix(path))
            return String(error.description.dropFirst(path.count))
        }
    }

    @Test func `every key's value is read`() throws {
        let manifest = try read(
            """
            {
                unit: "tracker.service", user: "ada", group: 27, executable: "/usr/bin/tracker",
                purpose: {
                    whenInUse: "Shows the way.",
                    always: "Notes where you stay.",
                    temporary: { delivery: "Finds the door." },
                },
                backgroundMode: true,
                wakeUnit: "tracker@2.service",
                maximumRegions: 100000,
                requires: ["receiver", "magnetometer"],
                requiresServiceSession: true,
                defaultAccuracyReduced: true,
                operator: true,
            }
            """)
        var expected = ClientManifest(
            name: "tracker",
            selector: ClientSelector(unit: "tracker.service", executable: "/usr/bin/tracker", user: 1000, group: 27))
        expected.purposes = PurposeStrings(
            whenInUse: "Shows the way.", always: "Notes where you stay.", temporary: ["delivery": "Finds the door."])
        expected.backgroundMode = true
        expected.wakeUnit = "tracker@2.service"
        expected.maximumRegions = 100_000
        expected.requires = [.receiver, .magnetometer]
        expected.requiresServiceSession = true
        expected.defaultAccuracyReduced = true
        expected.isOperator = true
        #expect(manifest == expected)
    }

    @Test(
        arguments: [
            ("{ unit: \"a.service\" }", ClientSelector(unit: "a.service")),
            ("{ unit: \"session-3.scope\" }", ClientSelector(unit: "session-3.scope")),
            ("{ unit: \"user@1000.service/a.service\" }", ClientSelector(unit: "user@1000.service/a.service")),
            ("{ user: 0 }", ClientSelector(user: 0)),
            ("{ group: \"sextant\" }", ClientSelector(group: 900)),
            ("{ group: 900, command: \"sextant\" }", ClientSelector(group: 900, command: "sextant")),
            ("{ executable: \"/opt/a\" }", ClientSelector(executable: "/opt/a")),
        ])
    func `one selector for the process is enough`(text: String, selector: ClientSelector) throws {
        #expect(try read(text) == ClientManifest(name: "tracker", selector: selector))
    }

    @Test func `an empty purpose text counts as absent`() throws {
        let manifest = try read("{ user: 1, purpose: { whenInUse: \"\", temporary: { a: \"\" } } }")
        #expect(manifest.purposes == PurposeStrings())
    }

    @Test(
        arguments: [
            ("{}", "unit: missing; say which process this is, by unit, user, group or executable"),
            (
                "{ user: 1, wakeunit: \"a.service\" }",
                "wakeunit: unknown key; the keys here are geocoding, unit, user, "
                    + "group, executable, command, purpose, backgroundMode, wakeUnit, maximumRegions, regions, requires, "
                    + "requiresServiceSession, defaultAccuracyReduced, asksAtStart, hostSleep, operator"
            ),
            (
                "{ user: 1, purpose: { whenUsed: \"a\" } }",
                "purpose.whenUsed: unknown key; the keys here are whenInUse, always, temporary"
            ),
            ("{ user: 1, geocoding: \"never\" }", "geocoding: \"never\" must be one of \"server\", \"local\""),
            ("{ user: \"eve\" }", "user: \"eve\" must be a user of this board; create it, or give its number"),
            ("{ group: \"evil\" }", "group: \"evil\" must be a group of this board; create it, or give its number"),
            ("{ user: -1 }", "user: -1 must be a number from 0 to 4294967294"),
            ("{ user: 4294967295 }", "user: 4294967295 must be a number from 0 to 4294967294"),
            ("{ user: 1.5 }", "user: 1.5 must be a number from 0 to 4294967294"),
            ("{ user: true }", "user: true must be a name or a number"),
            (
                "{ unit: \"tracker\" }",
                "unit: \"tracker\" must be a unit that has processes, such as "
                    + "\"tracker.service\", or \"user@1000.service/tracker.service\" for a user's"
            ),
            (
                "{ executable: \"tracker\" }",
                "executable: \"tracker\" must be a whole path, such as \"/usr/bin/tracker\""
            ),
            ("{ user: 1, purpose: \"a\" }", "purpose: \"a\" must be an object"),
            (
                "{ user: 1, purpose: { always: \"a\\u001b[2J\" } }",
                "purpose.always: \"a\u{1B}[2J\" must be a text of at most 512 bytes, in one line"
            ),
            (
                "{ user: 1, purpose: { temporary: { a: 1 } } }",
                "purpose.temporary.a: 1 must be a text of at most 512 bytes, in one line"
            ),
            ("{ user: 1, backgroundMode: 1 }", "backgroundMode: 1 must be true or false"),
            ("{ user: 1, maximumRegions: 0 }", "maximumRegions: 0 must be a whole number from 1 to 100000"),
            (
                "{ user: 1, requires: \"receiver\" }",
                "requires: \"receiver\" must be a list of any of \"receiver\", \"magnetometer\""
            ),
            ("{ user: 1, requires: [\"gps\"] }", "requires: \"gps\" must be one of \"receiver\", \"magnetometer\""),
            (
                "{ executable: \"/a\", operator: true }",
                "operator: true must be with a unit, a user, or a group and command: \"sextant\": anybody may run an "
                    + "executable, and each program of a group's members is in the group"
            ),
            (
                "{ group: \"sextant\", operator: true }",
                "operator: true must be with a unit, a user, or a group and command: \"sextant\": anybody may run an "
                    + "executable, and each program of a group's members is in the group"
            ),
            (
                "{ command: \"sextant\" }",
                "unit: missing; say which process this is, by unit, user, group or executable"
            ),
            (
                "{ user: 1, command: \"a-name-too-long-x\" }",
                "command: \"a-name-too-long-x\" must be the name of a process, of 1 to 15 bytes"
            ),
            ("[]", "the file must hold one object: { unit: \"tracker.service\" }"),
        ])
    func `each error names the key and the remedy`(text: String, expected: String) {
        #expect(complaint(text) == expected)
    }

    @Test(arguments: [
        "a.target", "user@1000.service/a.service", "../a.service", "-a.service", "a b.service", ".service",
    ])
    func `only a system service can be woken`(unit: String) {
        let expected =
            "wakeUnit: \"\(unit)\" must be a service of the system, such as \"tracker.service\", "
            + "of letters, digits and :_.@-"
        #expect(complaint("{ user: 1, wakeUnit: \"\(unit)\" }") == expected)
    }

    @Test func `the manifest for the gpsd port selects no process`() throws {
        #expect(try read("{ backgroundMode: true }", as: "gpsd.json5").selector == ClientSelector())
        #expect(
            complaint("{ user: 1 }", as: "gpsd.json5")?.contains("for those at the gpsd port who are not known") == true
        )
    }

    @Test(arguments: ["-a.json5", "a b.json5", "a.json", "ä.json5"])
    func `a manifest's file name must be a valid client name`(name: String) {
        #expect(complaint("{ user: 1 }", as: name)?.hasSuffix("rename it") == true)
    }

    @Test(arguments: [0o664, 0o646, 0o666] as [mode_t])
    func `a file that other users may write is refused`(mode: mode_t) throws {
        let path = try folder.manifest("tracker.json5", "{ user: 1 }", mode: mode)
        #expect(
            throws: ConfigurationError(
                description: "\(path): other users may write it and could authorize any client with it; "
                    + "take that from them: chmod go-w",
                isUnreadable: true)
        ) { try ManifestFile.manifest(readFrom: path) }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away"))
    func `a file owned by another user is refused`() throws {
        let path = try folder.manifest("tracker.json5", "{ user: 1 }")
        #expect(unsafe chown(path, 1234, 0) == 0)
        let error = #expect(throws: ConfigurationError.self) { try ManifestFile.manifest(readFrom: path) }
        #expect(error?.description.contains("belongs to user 1234") == true)
    }

    @Test func `a FIFO in place of a file is refused without waiting for its writer`() throws {
        let path = "\(folder.clients)/tracker.json5"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let error = #expect(throws: ConfigurationError.self) { try ManifestFile.manifest(readFrom: path) }
        #expect(error?.description == "\(path): not a file; put one there, or rename it")
    }

    @Test func `system users and groups can be given by name`() throws {
        let path = try folder.manifest("tracker.json5", "{ user: \"root\", group: \"root\" }")
        #expect(try ManifestFile.manifest(readFrom: path).selector == ClientSelector(user: 0, group: 0))
        try folder.manifest("tracker.json5", "{ user: \"no such user\" }")
        #expect(throws: ConfigurationError.self) { try ManifestFile.manifest(readFrom: path) }
    }

    @Test func `a connection has the identity that the kernel reports`() {
        let credentials = PeerCredentials(
            userID: 1, groupID: 2, processID: 3, supplementaryGroupIDs: [4, 2], unit: "a.service", executable: "/a")
        let expected = PeerIdentity(userID: 1, groups: [2, 4], unit: "a.service", executable: "/a")
        #expect(PeerIdentity(credentials) == expected)
    }
}
