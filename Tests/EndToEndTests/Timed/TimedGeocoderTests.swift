import Testing

/// How long a lookup takes whose server says nothing.
@Suite("Geocoder command, timed", .enabled(if: Tool.isInstalled("python3"), "needs python3"))
struct TimedGeocoderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["hang", "reset", "error", "busy"])
    func `GEO-38: a server that is silent or fails holds nobody longer than 10.5 s`(how: String) async throws {
        let board = try await GeocoderBoard.start(in: scratch, how, more: ", timeout: 1")
        let begin = ContinuousClock.now
        let (status, program) = try await board.geocode("--reverse", "47.3671", "8.5399")
        let taken = ContinuousClock.now - begin
        #expect(status == 0 && program.output.hasPrefix("Zürich") && taken < .seconds(10.5), "\(taken)")
    }
}
