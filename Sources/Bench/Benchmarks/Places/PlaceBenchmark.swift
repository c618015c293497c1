internal import ArgumentParser
internal import Glibc
internal import PlaceTable
internal import Programs
internal import SextantPlaces

/// Measures the CPU time and memory of looking up places in a table of towns, by a point on the Earth and by name.
///
/// For comparison it also measures the plain way to find the nearest place: an R*Tree is searched in a small window
/// around the point, and then in larger windows until one holds a place.
struct PlaceBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "What geocoding in a table of towns costs, beside a plain R*Tree of its points.",
        discussion: """
            Prints a table in Markdown: CPU time of each question in µs. Points are near towns (within some 2 km of one), \
            anywhere on the sphere, and beyond 80° of latitude. The plain query asks an R*Tree of points in degrees with \
            windows that grow until the nearest place is in one; it finds a place and no names.

            Exit status: 0; 64 for usage; 1 where the table cannot be read.
            """)

    @Argument(help: "The table of towns; without it, the first that is installed or named in SEXTANT_PLACES.")
    var table: String?

    @Option(help: "How many questions of each kind.")
    var count = 5000

    @Option(help: ArgumentHelp("Write the points to NEAR, SPHERE and POLES in this folder.", valueName: "folder"))
    var points: String?

    func validate() throws {
        guard (100...1_000_000).contains(count) else { throw ValidationError("--count is 100 to 1000000.") }
    }

    func run() throws {
        guard let path = table ?? PlaceFiles.paths().first else {
            throw ValidationError("give a table of towns, or name one in SEXTANT_PLACES")
        }
        let first = try FirstQuestion(path)
        let table = try PlaceTable(path: path)
        let input = try PlaceQuestions(of: table, count: count)
        try points.map(input.write)
        print("| question | mean | p50 | p99 | slowest | goal: mean, p99 |")
        print("|---|---:|---:|---:|---:|---:|")
        for (name, points) in input.points {
            let times = try QuestionTimes(points) {
                _ = try table.reverse(latitude: $0.latitude, longitude: $0.longitude)
            }
            print(times.row("point \(name), names", goal: "50, 250"))
        }
        for (name, texts, goal) in [
            ("a name alone", input.names, "-, 1000"), ("a name and its country", input.namesAndCountries, "-, 1000"),
        ] {
            print(try QuestionTimes(texts) { _ = try table.forward(PlaceQuestion($0)) }.row(name, goal: goal))
        }
        let windows = try WindowQuery(places: table)
        for (name, points) in input.points {
            let times = try QuestionTimes(points) {
                _ = try windows.nearest(latitude: $0.latitude, longitude: $0.longitude)
            }
            print(times.row("point \(name), plain windows", goal: ""))
        }
        print("\n\(first.text)")
    }
}

/// The first lookups of a process: the time to open the table and to find the place at a point, and the memory that
/// opening, a lookup by point and a lookup by name take.
private struct FirstQuestion {
    private let opening: Double
    private let answering: Double
    private let bytes: Int

    init(_ path: String) throws {
        let before = Int(ProgramMemory.residentBytes)
        let start = QuestionTimes.seconds(CLOCK_MONOTONIC)
        let table = try PlaceTable(path: path)
        let opened = QuestionTimes.seconds(CLOCK_MONOTONIC)
        _ = try table.reverse(latitude: 47.4111, longitude: 8.5446)
        answering = QuestionTimes.seconds(CLOCK_MONOTONIC) - opened
        opening = opened - start
        _ = try table.forward(PlaceQuestion("Paris, Texas"))
        bytes = Int(ProgramMemory.residentBytes) - before
    }

    var text: String {
        "first question: \(QuestionTimes.tenths(1000 * opening)) ms to open and "
            + "\(QuestionTimes.tenths(1000 * answering)) ms to answer (goal: 5 together); resident memory that this and a name "
            + "add: \(QuestionTimes.tenths(Double(bytes) / 1_048_576)) MiB (goal: 3)"
    }
}

/// The times of lookups of one kind, each made once; before measuring, a tenth of the lookups is made to warm up.
struct QuestionTimes {
    /// The seconds of CPU time of each lookup, in ascending order.
    private var times: [Double] = []

    init<Question>(_ questions: [Question], _ ask: (Question) throws -> Void) throws {
        for question in questions.prefix(questions.count / 10) { try ask(question) }
        times.reserveCapacity(questions.count)
        for question in questions {
            let start = QuestionTimes.seconds(CLOCK_THREAD_CPUTIME_ID)
            try ask(question)
            times.append(QuestionTimes.seconds(CLOCK_THREAD_CPUTIME_ID) - start)
        }
        times.sort()
    }

    func row(_ name: String, goal: String) -> String {
        let mean = times.reduce(0, +) / Double(times.count)
        let cells = [mean, part(0.5), part(0.99), times.last ?? 0].map { QuestionTimes.tenths(1e6 * $0) }
        return "| \(name) | \(cells.joined(separator: " | ")) | \(goal) |"
    }

    private func part(_ part: Double) -> Double { times[Int(part * Double(times.count - 1))] }

    static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        // Safety: the call writes one value.
        _ = unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
