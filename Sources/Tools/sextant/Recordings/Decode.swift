internal import ArgumentParser
internal import SextantUnits

/// `sextant decode`.
struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn raw receiver recordings into fixes.",
        discussion: """
            Reads NMEA 0183 and UBX, mixed and damaged as they come, and writes one record an epoch. Lines that begin \
            with # at the head of a recording are comments; one that reads "# Date: YYYY-MM-DD" dates the recording. \
            An epoch holds all sentences of one time, with the GSA and GSV that stand before or behind them, whichever \
            this receiver does.

            A UBX solution whose gnssFixOK is 0 is no fix: it lies outside the receiver's own limits. Where the \
            receiver gives the height above the ellipsoid alone, the altitude above mean sea level is by EGM96, to a \
            metre or so. With --format gpsd, magvar is by WMM2025 where the receiver gives none, and a recording \
            from before 2017 whose receiver gives week and time of week begins with an epoch that is as early as gpsd's.

            Exit status: 0; 64 for usage; 65 where an input held no message; 74 where a file or standard \
            output could not be read or written.
            """
    )

    @Argument(help: ArgumentHelp("Recordings, in order; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(
        help:
            "json: one object an epoch, everything known. gpsd: TPV and SKY as gpsd 3.27. csv: the FIXES.csv columns. gpx: GPX 1.1."
    )
    var format: DecodeFormat = .json

    @Option(help: ArgumentHelp("The recording's date, for week rollover.", valueName: "YYYY-MM-DD"))
    var date: DateOption?

    func run() throws {
        do {
            try decodeAll()
        } catch let problem as CommandFailure {
            problem.report()
            throw ExitCode(problem.status)
        }
    }

    private func decodeAll() throws {
        var decoder = RecordingDecoder(format: format, date: date?.date)
        var failure: CommandFailure?
        decoder.begin()
        for file in files {
            do {
                try decoder.decode(file)
            } catch let problem as CommandFailure where !problem.isOfOutput {
                // The epochs decoded before the failure are written, and the other recordings are still decoded.
                problem.report()
                failure = failure ?? problem
            }
        }
        try decoder.end()
        if let failure { throw ExitCode(failure.status) }
    }
}

enum DecodeFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case gpsd
    case csv
    case gpx
}

/// A date on the command line.
struct DateOption: ExpressibleByArgument {
    var date: CivilDate

    init?(argument: String) {
        guard let date = CivilDate(iso8601: argument), date.isReceivable else { return nil }
        self.date = date
    }
}
