internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import PlaceTable
internal import SextantJSON
internal import SextantPlaces

/// The place tables on this board, for the commands that print names of places.
struct LocalPlaces {
    private let tables = PlaceTables()
    /// Why no place table can be used; nil if one can be used.
    let failure: CommandFailure?

    init() {
        do throws(PlaceTableError) {
            _ = try tables.tables()
            failure = nil
        } catch {
            failure = CommandFailure(error)
        }
    }

    /// The place tables; if there are none, prints a message on standard error and returns nil.
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

    /// The placemarks of a geocoding server, with those parts added that only the place tables have.
    func completed(_ marks: [Placemark], of point: (latitude: Double, longitude: Double)?) -> [Placemark] {
        tables.completed(marks, of: point)
    }

    /// The place that matches the name best; throws if no place matches the whole name.
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

    /// The position in a line from the daemon, in words such as the name of the nearest town; nil if the line has no
    /// position, or if no known place is near.
    func near(of line: DaemonLine?) -> String? {
        guard let latitude = line?.number(.latitude), let longitude = line?.number(.longitude) else { return nil }
        return (try? reverse(latitude, longitude))?.near
    }

    /// A text table with one more column, which names the place at each row's position.
    ///
    /// - Parameter places: The place tables; nil for a text table without that column.
    static func table(
        _ heading: [String], _ rows: [[String]], of lines: [DaemonLine], _ places: LocalPlaces?
    ) -> [String] {
        guard let places else { return TextTable.lines([heading] + rows) }
        let named = zip(rows, lines).map { row, line in
            row + [places.near(of: line) ?? "-"]
        }
        return TextTable.lines([heading + ["near"]] + named)
    }

    /// A line (JSON object) from the daemon, with the member `near` added if the place tables know a place near its
    /// position.
    func naming(_ line: DaemonLine) -> [UInt8] { Self.bytes(of: line, near: near(of: line)) }

    /// A line (JSON object) from the daemon with the member `near` added; unchanged if the argument `near` is nil.
    static func bytes(of line: DaemonLine, near: String?) -> [UInt8] {
        guard let near, line.bytes.last == 0x7D else { return line.bytes }
        return line.bytes.dropLast() + Array(",\"near\":\(JSONValue.quoted(near))}".utf8)
    }
}

extension CommandFailure {
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

    /// Runs a command's work; if the work fails, prints one line and sets the exit status.
    static func reporting(_ work: () throws(CommandFailure) -> Void) throws {
        do throws(CommandFailure) {
            try work()
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }
}
