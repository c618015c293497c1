internal import ArgumentParser
internal import Engine
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// `sextant replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run a flight recording through the Engine.",
        discussion: """
            Prints the Engine's actions as JSON, one a line, and compares them with the actions when the recording \
            was made. A long run is recorded in several files, which are replayed together, in their order; so are those \
            of several boots, each of which must begin with what the boot before left in the store.

            Exit status: 0 where all outputs are the same; 64 for usage; 65 where they differ, a boot is missing or the \
            file is not a recording; 74 where it cannot be read.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A file that sextantd --record wrote, and those that go on after it.", valueName: "recording"))
    var recordings: [String]

    private var recording: String { recordings.joined(separator: " ") }

    @Flag(help: "Compare only, and print a summary.")
    var quiet = false

    func run() throws {
        do throws(CommandFailure) {
            try replay()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func replay() throws(CommandFailure) {
        var bytes: [UInt8] = []
        for file in recordings { bytes += try InputFile.contents(of: file) }
        var text = TextBuffer(capacity: 1 << 17)
        var replay: Replay
        do throws(FlightFormatError) {
            replay = try Replay(bytes)
        } catch {
            throw failure(error)
        }
        var chain = BootChain()
        while try step(&replay, &chain, &text) {
            if text.count > 1 << 16 { try StandardOutput.write(&text) }
        }
        try StandardOutput.write(&text)
        if replay.isTruncated {
            StandardError.write("sextant: \(recording): its last record was cut off; the rest is whole")
        }
        StandardError.write(
            "sextant: \(replay.inputs) inputs, \(replay.differences) with other outputs than recorded, checksum "
                + "\(replay.check.value)" + (chain.boots > 1 ? ", \(chain.boots) boots" : ""))
        if replay.differences > 0, replay.isOfEarlierVersion {
            throw .data(
                "\(recording): the outputs differ; an earlier version of sextantd recorded it, which rounded some numbers "
                    + "otherwise, so that only the lines for clients can be compared")
        }
        if replay.differences > 0 {
            throw .data(
                "\(recording): the outputs differ; another version of sextantd recorded it, or it goes on from an "
                    + "earlier file, which must be named before it")
        }
        if let broken = chain.breaks.first {
            throw .data(
                "\(recording): boot \(broken) began with other stored rows than the one before it had left; name the "
                    + "files of the boots between them, or the store lost what it had taken")
        }
    }

    private func step(
        _ replay: inout Replay, _ chain: inout BootChain, _ text: inout TextBuffer
    ) throws(CommandFailure) -> Bool {
        do throws(FlightFormatError) {
            return try replay.step { stamped, turn in
                chain.take(stamped, turn)
                if !quiet { ActionLines.append(turn, at: stamped.instant, to: &text) }
            }
        } catch {
            // The actions from before the damaged part of the recording were replayed, so they are printed.
            try StandardOutput.write(&text)
            throw failure(error, ": \(replay.inputs) inputs, checksum \(replay.check.value)")
        }
    }

    private func failure(_ error: FlightFormatError, _ replayed: String = "") -> CommandFailure {
        switch error {
        case .notARecording: .data("\(recording): is not a flight recording; sextantd --record FILE writes one")
        case .damaged(let offset):
            .data("\(recording): damaged at byte \(offset); what stands before it was replayed\(replayed)")
        }
    }
}
