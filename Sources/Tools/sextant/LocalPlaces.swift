internal import ArgumentParser
internal import JSON
internal import PlaceTable
internal import Places

/// The tables of places that are installed, for the commands that tell names.
struct LocalPlaces {
    private let tables = PlaceTables()
    /// Why there are no names; nil where there are.
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

    /// What is said of a point to people, without "near" twice in a table's column; nil where nothing is near.
    func near(_ latitude: Double?, _ longitude: Double?) -> String? {
        guard let latitude, let longitude else { return nil }
        return (try? reverse(latitude, longitude))?.near
    }
}

extension CommandFailure {
    /// There is no table of places.
    static var noPlaces: CommandFailure {
        .unavailable("no table of places is installed; install sextant-places, or name one in SEXTANT_PLACES")
    }

    init(_ error: PlaceTableError) {
        switch error.kind {
        case .missing: self = .noPlaces
        case .inaccessible: self = .inputOutput("\(error)")
        case .damaged: self = .data("\(error); install it again (\(error.path))")
        case .notATable, .newerFormat, .wrongLine: self = .data("\(error)")
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
