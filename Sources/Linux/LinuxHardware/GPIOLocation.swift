import Glibc
import Hardware
import Programs
import SextantReactor

/// The location of a GPIO line: the chip's device node and the line's number on the chip.
struct GPIOLocation: Equatable {
    var path: String
    var offset: UInt32

    /// Finds a GPIO line by its name on any chip, or by `label:offset` (chip's label, line's number on the chip).
    init(ofLine name: String) throws(LineError) {
        var search = GPIOSearch(name: name)
        for path in GPIOChip.paths { search.look(at: path) }
        self = try search.result()
    }

    init(path: String, offset: UInt32) {
        self.path = path
        self.offset = offset
    }
}

/// The results so far of a search through all GPIO chips for a line.
struct GPIOSearch {
    let name: String
    private var hits: [(location: GPIOLocation, place: String)] = []
    private var others: [String] = []
    private var denied: String?

    init(name: String) { self.name = name }

    mutating func look(at path: String) {
        do {
            look(at: try GPIOChip(path: path))
        } catch {
            if error.errno == EACCES || error.errno == EPERM { denied = denied ?? path }
        }
    }

    private mutating func look(at chip: borrowing GPIOChip) {
        for offset in 0..<chip.lineCount {
            let place = "\(chip.label):\(offset)"
            let lineName = chip.line(at: offset)?.name
            note(name: lineName, place: place, location: GPIOLocation(path: chip.path, offset: offset))
        }
    }

    /// Compares one line of a chip with the wanted name, and records the result.
    mutating func note(name lineName: String?, place: String, location: GPIOLocation) {
        if lineName == name || place == name { hits.append((location, place)) }
        others.append(lineName ?? place)
    }

    func result() throws(LineError) -> GPIOLocation {
        guard let first = hits.first else { throw missing() }
        guard hits.count == 1 else { throw LineError(.ambiguous(places: hits.map(\.place)), line: name) }
        return first.location
    }

    private func missing() -> LineError {
        if let denied, others.isEmpty {
            return LineError(.permissionDenied, line: name, errno: EACCES, cause: DeviceAdmission.mend(for: denied))
        }
        let cause =
            if let denied {
                "\(denied) could not be looked at: \(DeviceAdmission.mend(for: denied))"
            } else if others.isEmpty {
                "there is no GPIO chip in /dev; is this the board, and its driver loaded?"
            } else {
                ""
            }
        return LineError(.notFound(nearest: NearestNames.of(name, in: others)), line: name, errno: ENOENT, cause: cause)
    }
}
