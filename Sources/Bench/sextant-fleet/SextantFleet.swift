internal import ArgumentParser
internal import Fleet
internal import Glibc

/// The command `sextant-fleet`: many simulated devices at a real broker.
@main
struct SextantFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant-fleet",
        abstract: "Simulates a fleet that reports to a real broker, and says what arrived, how fast and at what cost.",
        discussion: """
            A receiver such as sextant-collect has to acknowledge what it has stored. Each device has a connection of its \
            own, of three descriptors: see ulimit -n. scripts/prove-uplink fleet starts broker, receiver and fleet.

            Exit status: 0 where every fix was acknowledged as stored, 1 where one was not.
            """)

    @Option(help: ArgumentHelp("How many devices.", valueName: "number")) var devices = 100
    @Option(help: ArgumentHelp("Seconds from a device's fix to its next.", valueName: "seconds")) var rate = 10.0
    @Option(help: ArgumentHelp("Share of the devices without a network at any time.", valueName: "0-1"))
    var offline = 0.0
    @Option(help: ArgumentHelp("Seconds for which the devices have fixes.", valueName: "seconds")) var duration = 60.0
    @Option(help: ArgumentHelp("Seconds within which the devices connect, at random.", valueName: "seconds"))
    var spread = 15.0
    @Option(help: ArgumentHelp("Kill the broker so many seconds after the start.", valueName: "broker:seconds"))
    var kill: [String] = []
    @Option(help: ArgumentHelp("The broker's host.", valueName: "host")) var host = "127.0.0.1"
    @Option(help: ArgumentHelp("The broker's port.", valueName: "port")) var port: Int32 = 1883
    @Option(help: ArgumentHelp("TLS, with the authority that signed the broker's certificate.", valueName: "file"))
    var tls: String?
    @Option(help: ArgumentHelp("The file with the number of the broker's process.", valueName: "file"))
    var brokerPid: String?
    @Option(help: ArgumentHelp("Begins the devices' names.", valueName: "text")) var name = "fleet"
    @Option(help: ArgumentHelp("Draw what happened each second, as SVG.", valueName: "file")) var picture: String?
    @Option(help: ArgumentHelp("What the random numbers begin with.", valueName: "number")) var seed: UInt64 = 1

    func validate() throws {
        guard devices > 0, rate > 0, (0...1).contains(offline), duration > 0, spread >= 0 else {
            throw ValidationError("--devices, --rate and --duration are above 0, and --offline is from 0 to 1")
        }
        guard kill.allSatisfy({ $0.hasPrefix("broker:") && Double($0.dropFirst(7)) != nil }) else {
            throw ValidationError("--kill wants such as broker:30, seconds after the start")
        }
        guard kill.isEmpty || brokerPid != nil else { throw ValidationError("--kill needs --broker-pid") }
    }

    func run() throws {
        // If the broker is gone, writing must return an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        let kills = kill.compactMap { Double($0.dropFirst(7)) }
        let plan = FleetPlan(devices: devices, rate: rate, offline: offline, seed: seed)
        let options = FleetRun.Options(
            plan: plan, host: host, port: port, name: name, duration: duration, spread: spread, authority: tls,
            kills: kills)
        let fleet = FleetRun(options, broker: brokerPid.map(BrokerProcess.init(pidFile:)))
        fleet.run { fleet in
            guard Int(fleet.second) % 5 == 0 else { return }
            print("\(Int(fleet.second)) s: \(fleet.connected) connected, \(fleet.unacknowledged) unacknowledged")
        }
        for line in FleetReport(fleet, devices: devices, kills: kills).lines { print(line) }
        if let picture {
            let title = "\(devices) devices, a fix each \(Int(rate)) s"
            let svg = FleetPicture(of: fleet.tally, kills: kills.map { Int($0) }).svg(title: title)
            guard let file = unsafe fopen(picture, "w") else { throw ValidationError("\(picture): cannot be written") }
            unsafe fputs(svg, file)
            unsafe fclose(file)
        }
        if fleet.unacknowledged > 0 { throw ExitCode.failure }
    }
}
