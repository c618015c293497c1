internal import ArgumentParser
internal import Emulation
internal import SextantUnits

/// The command `virtual-year`: runs the daemon for a year, or for a given number of days, in virtual time.
@main
struct VirtualYear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "virtual-year",
        abstract: "Lets sextantd live a year in virtual time, and compares what it tells with what it promised.",
        discussion: """
            Clients come, go, register, ask for fixes and are denied; the daemon is killed, clocks step, the receiver is \
            unplugged, all drawn from a seed. Prints a JSON object a virtual day, and one at the end. Wants root, since \
            each client is a user of its own.

            Exit status: 0; 1 where a promise was broken; 64 for usage; 69 where something is missing.
            """)

    @Option(help: ArgumentHelp("The folder with sextantd-bench.", valueName: "folder"))
    var programs: String

    @Option(help: "Virtual days.")
    var days = 365

    @Option(help: "The same seed brings the same year.")
    var seed: UInt64 = 1

    @Flag(help: "The daemon is never killed, so that its memory can be compared over the whole time.")
    var withoutKills = false

    func validate() throws {
        guard (1...3650).contains(days) else { throw ValidationError("--days must be from 1 to 3650") }
    }

    /// 2027-01-15T08:00:00Z in seconds since 1970, when the virtual year begins.
    private static let start = 1_800_000_000.0

    func run() throws {
        do {
            if try !live().isEmpty { throw ExitCode(1) }
        } catch let failure as ExitCode {
            throw failure
        } catch {
            print("virtual-year: \(error)")
            throw ExitCode(69)
        }
    }

    /// - Returns: A text for each promise to its clients that the daemon broke, such as an event that was delivered
    ///   twice.
    private func live() throws -> [String] {
        var random = SplitMix64(seed: seed)
        let clients = (1...3).map { YearClient(name: "client\($0)", user: UInt32(20_000 + $0)) }
        let folder = try YearFolder(clients: clients)
        let journey = Journey(start: VirtualYear.start, days: days, random: &random)
        let board = try YearBoard(program: "\(programs)/sextantd-bench", folder: folder.path, journey: journey)
        let life = try YearLife(board, clients: clients, hasKills: !withoutKills, random: random)
        for day in 1...days {
            while board.time < VirtualYear.start + Double(day) * 86_400 { try life.step() }
            tell(day: day, life, board, folder)
        }
        for problem in life.problems { print("problem: \(problem)") }
        return life.problems
    }

    private func tell(day: Int, _ life: YearLife, _ board: YearBoard, _ folder: borrowing YearFolder) {
        let figures = ProcessFigures(of: board.processID)
        print(
            "{\"day\":\(day),\"residentKibibytes\":\(figures.residentKibibytes),\"descriptors\":\(figures.descriptors),"
                + "\"stateBytes\":\(folder.stateBytes),\"wakeUps\":\(board.wakeUps),\"kills\":\(life.kills),"
                + "\"restarts\":\(life.restarts),\"clockSteps\":\(life.clockSteps),\"events\":\(life.events),"
                + "\"locations\":\(life.locations),\"problems\":\(life.problems.count)}")
    }
}
