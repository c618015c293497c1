/// The energy accounts: a row of nanojoules for every minute of an hour, for every quarter of a day, and one since the
/// start.
///
/// A row has a column for every part, cause and client. Each ring holds one row more than its window, because the
/// newest is still being written; so a window is never shorter than its name says, and its true length is reported.
struct EnergyAccounts: Sendable {
    /// The columns of a row, in order: the receiver's states, sensors, radio, host wake-ups, idle host, causes, clients,
    /// and nanoseconds, not nanojoules, for which the radio's windows were open.
    enum Column {
        static let states = 0
        static let sensors = EnergyLedger.State.allCases.count
        static let radio = sensors + 1
        static let hostWake = radio + 1
        static let hostIdle = hostWake + 1
        static let causes = hostIdle + 1
        static let clients = causes + EnergyCause.allCases.count
        static let scanned = clients + EnergyClients.slotCount
        static let count = scanned + 1
    }

    static let minute: UInt64 = 60_000_000_000
    private static let minutesPerQuarter: UInt64 = 15

    private var minutes = EnergyRing(entries: 61)
    private var quarters = EnergyRing(entries: 97)
    private var always = [Int64](repeating: 0, count: Column.count)
    /// Nanoseconds since the ledger began.
    private(set) var age: UInt64 = 0
    private var minuteNumber: UInt64 = 0

    /// Nanoseconds until the next minute's row begins; at least 1.
    var untilRow: UInt64 { (minuteNumber + 1) * EnergyAccounts.minute - age }

    /// Lets time pass, by no more than `untilRow`.
    ///
    /// - Returns: Whether a quarter of an hour left the window of the last day.
    mutating func pass(nanoseconds: UInt64) -> Bool {
        precondition(nanoseconds <= untilRow)
        age += nanoseconds
        guard age == (minuteNumber + 1) * EnergyAccounts.minute else { return false }
        minuteNumber += 1
        minutes.turn()
        guard minuteNumber % EnergyAccounts.minutesPerQuarter == 0 else { return false }
        quarters.turn()
        return true
    }

    mutating func add(_ nanojoules: Int64, column: Int) {
        minutes.add(nanojoules, column: column)
        quarters.add(nanojoules, column: column)
        always[column] += nanojoules
    }

    /// Moves a column's energy since the start to another column; the rows of the last day must hold none of it.
    mutating func fold(_ column: Int, into other: Int) {
        always[other] += always[column]
        always[column] = 0
    }

    func isInDay(_ column: Int) -> Bool { quarters.holds(column) }

    /// The rows of a window, oldest first, each with its beginning and its length in nanoseconds of the ledger's age; the
    /// last one is still being written to.
    func rows(of window: EnergyLedger.HistoryWindow) -> [(row: [Int64], began: UInt64, nanoseconds: UInt64)] {
        switch window {
        case .hour: minutes.rows(until: age, each: EnergyAccounts.minute)
        case .day: quarters.rows(until: age, each: EnergyAccounts.minute * EnergyAccounts.minutesPerQuarter)
        }
    }

    /// The sums of a window's columns, and the nanoseconds it covers.
    func sums(over window: EnergyLedger.Window) -> (row: [Int64], nanoseconds: UInt64) {
        switch window {
        case .lastHour: (minutes.sums(), minutes.covered(of: age, each: EnergyAccounts.minute))
        case .lastDay:
            (
                quarters.sums(),
                quarters.covered(of: age, each: EnergyAccounts.minute * EnergyAccounts.minutesPerQuarter)
            )
        case .sinceBoot: (always, age)
        }
    }
}

/// Rows in a ring: the newest is written to, and the oldest is overwritten by the next.
struct EnergyRing: Sendable {
    private let entries: Int
    private var rows: [Int64]
    private var head = 0

    init(entries: Int) {
        self.entries = entries
        rows = [Int64](repeating: 0, count: entries * EnergyAccounts.Column.count)
    }

    mutating func add(_ nanojoules: Int64, column: Int) {
        rows[head * EnergyAccounts.Column.count + column] += nanojoules
    }

    /// Begins a new row in the oldest one's place.
    mutating func turn() {
        head = (head + 1) % entries
        let start = head * EnergyAccounts.Column.count
        for index in start..<start + EnergyAccounts.Column.count { rows[index] = 0 }
    }

    func holds(_ column: Int) -> Bool {
        (0..<entries).contains { rows[$0 * EnergyAccounts.Column.count + column] != 0 }
    }

    /// The rows that have begun at `age`, oldest first, where each row stands for `length` nanoseconds.
    func rows(until age: UInt64, each length: UInt64) -> [(row: [Int64], began: UInt64, nanoseconds: UInt64)] {
        let newest = age / length
        return (newest - min(newest, UInt64(entries - 1))...newest).map { number in
            let place = (head + entries - Int(newest - number)) % entries
            let start = place * EnergyAccounts.Column.count
            let began = number * length
            return (
                Array(rows[start..<start + EnergyAccounts.Column.count]), began, min(length, age - began)
            )
        }
    }

    func sums() -> [Int64] {
        var sums = [Int64](repeating: 0, count: EnergyAccounts.Column.count)
        for index in rows.indices { sums[index % EnergyAccounts.Column.count] += rows[index] }
        return sums
    }

    /// Nanoseconds of `age` that the rows cover, where each row stands for `length` nanoseconds.
    func covered(of age: UInt64, each length: UInt64) -> UInt64 {
        let older = UInt64(entries - 1)
        let number = age / length
        return number <= older ? age : age - (number - older) * length
    }
}
