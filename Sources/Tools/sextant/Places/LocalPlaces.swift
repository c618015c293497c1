internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import PlaceTable
internal import SextantJSON
internal import SextantPlaces

/// The tables of places that are installed, for the commands that tell names.
struct LocalPlaces {
    private let tables = PlaceTables()
    /// Why no table of places can be used; nil where one can.
    let failure: CommandFailure?

    init() {
        do throws(PlaceTableError) {
            _ = try tables.tables()
            failure = nil
        } catch {
            failure = CommandFailure(error)
        }
    }

    /// The tables; nil where there are none, which is then said on standard error.
    static func forColumns() -> LocalPlaces? {
        let places = LocalPlaces()
        guard let failure = places.failure else { return places }
        StandardError.write("sextant: names of places are left out: \(failure.message)")
        return nil
    }

    static func open(_ path: String) -> Result<PlaceTable, PlaceTableError> {
        do throws(PlaceTableError) {
            return .success(try PlaceTable(path: path))
        } catch {
            return .failure(error)
        }
    }

    func reverse(_ latitude: Double, _ longitude: Double) throws(CommandFailure) -> Placemark? {
        do throws(PlaceTableError) {
            return try tables.reverse(latitude: latitude, longitude: longitude)
        } catch {
            throw CommandFailure(error)
        }
    }

    func forward(_ question: PlaceQuestion) throws(CommandFailure) -> PlaceAnswer {
        do throws(PlaceTableError) {
            return try tables.forward(question)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// A server's placemarks, with what only the tables know.
    func completed(_ marks: [Placemark], of point: (latitude: Double, longitude: Double)?) -> [Placemark] {
        tables.completed(marks, of: point)
    }

    /// The best place of a name.
    func place(named name: String) throws(CommandFailure) -> Placemark {
        if let failure { throw failure }
        switch try forward(PlaceQuestion(name, limit: 1)) {
        case .places(let found):
            if let best = found.first { return best }
        case .partial(let found):
            if let part = found.first {
                throw .data("\(name): only \(PlacemarkLines.text(of: part)) is known; name that, or give coordinates")
            }
        case .nothing: break
        }
        throw .data("\(name): no table has such a place; give --latitude and --longitude")
    }

    // MARK: Names beside points

    /// The description of a line's point for people; nil where the line has no point, or nothing is near.
    func near(of line: DaemonLine?) -> String? {
        guard let latitude = line?.number(.latitude), let longitude = line?.number(.longitude) else { return nil }
        return (try? reverse(latitude, longitude))?.near
    }

    /// A table's heading and rows with one more column, which names the points of the lines that the rows are of.
    ///
    /// - Parameter places: Nil for a table without the column.
    static func table(
        _ heading: [String], _ rows: [[String]], of lines: [DaemonLine], _ places: LocalPlaces?
    ) -> [String] {
        guard let places else { return TextTable.lines([heading] + rows) }
        let named = zip(rows, lines).map { row, line in
            row + [places.near(of: line) ?? "-"]
        }
        return TextTable.lines([heading + ["near"]] + named)
    }

    /// A line of the daemon's with the key `near`, where the tables name its point.
    func naming(_ line: DaemonLine) -> [UInt8] { Self.bytes(of: line, near: near(of: line)) }

    /// A line of the daemon's with the key `near`; as it came for nil.
    static func bytes(of line: DaemonLine, near: String?) -> [UInt8] {
        guard let near, line.bytes.last == 0x7D else { return line.bytes }
        return line.bytes.dropLast() + Array(",\"near\":\(JSONValue.quoted(near))}".utf8)
    }
}

extension CommandFailure {
    /// There is no table of places.
    static var noPlaces: CommandFailure {
        .unavailable(
            "no table of places is installed: sudo apt install ./sextant-places_*_all.deb (scripts/package --with-places "
                + "of Sextant's sources makes it); or name one in SEXTANT_PLACES")
    }

    init(_ error: PlaceTableError) {
        switch error.kind {
        case .missing: self = .noPlaces
        case .inaccessible: self = .inputOutput("\(error)")
        case .damaged: self = .data("\(error); install it again (\(error.path))")
        case .notATable, .newerFormat, .olderFormat, .wrongLine: self = .data("\(error)")
        }
    }

    /// Does a command's work; a failure prints one line and sets the exit status.
    static func reporting(_ work: () throws(CommandFailure) -> Void) throws {
        do throws(CommandFailure) {
            try work()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }
}
