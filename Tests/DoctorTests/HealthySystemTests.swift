import Doctor
import Testing

/// A system with nothing wrong is told so, on each model.
struct HealthySystemTests {
    static let models: [(String, System)] = [
        ("Zero 2 W", .zero2W), ("3B+", .threeBPlus), ("3B+ with its boot files in /boot", .olderThreeBPlus),
        ("4B", .fourB), ("5", .fiveB), ("Compute Module 4", .computeModule4), ("emulated 3B", .emulated),
    ]

    @Test(arguments: models) func `the doctor finds nothing to change on a board that is set up correctly`(
        model: String, system: System
    ) {
        #expect(system.troubles == [], "\(model)")
        #expect(system.examination.isContent)
    }

    @Test(arguments: models) func `every check is made, or skipped with a reason`(
        model: String, system: System
    ) {
        let examination = system.examination
        #expect(examination.made.count + examination.skipped.count == Check.allCases.count)
        #expect(examination.skipped.allSatisfy { !$0.reason.isEmpty }, "\(model)")
    }

    @Test func `without boot files the checks that need them are skipped, and all others are made`() {
        let skipped = System.emulated.examination.skipped
        #expect(
            skipped.filter { $0.reason == "there is no config.txt" }.map(\.check)
                == [.bootFile, .overlayFile, .uart, .bluetooth, .miniUART, .i2c, .lineOverlay, .pulse])
        #expect(
            skipped.filter { $0.reason != "there is no config.txt" }.map(\.check)
                == [
                    .modemManager, .beaconKernel, .beaconController, .beaconBlock, .beaconSocket, .staysOn,
                    .secondMaster, .switchDriver, .rebootWatchdog, .bootLoader, .hostSleep, .storeVersion, .time,
                    .supply,
                    .places, .uplink, .services,
                ])
    }

    @Test func `a card in another machine is examined without its running devices`() {
        var system = System.zero2W
        for path in ["/proc", "/sys", "/dev"] { system.tree.remove(path) }
        system.live = LiveFacts()
        #expect(system.troubles == [])
        #expect(system.examination.skipped.contains { $0 == (.services, "the system is not running") })
        let made = system.examination.made
        #expect(
            made.contains(.uart) && made.contains(.serialConsole) && made.contains(.i2c) && made.contains(.i2cModule))
        #expect(!made.contains(.device) && !made.contains(.daemons))
    }
}
