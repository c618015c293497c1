/// The energy that the board spent, in nanojoules: a row for every minute of the last hour, a row for every quarter of
/// an hour of the last day, and one row for all time since the start.
///
/// A row has a column for every part of the board, every cause and every client. The hour has 61 rows and the day 97,
/// because the newest row is still being filled; so both are a little longer than their names say, and their true
/// length is reported. The number of client columns is the largest number of client accounts that existed at one time,
/// rounded up to a multiple of eight.
struct EnergyAccounts: Sendable {
    /// The columns of a row of energies, in order: the receiver's states, sensors, radio, host wake-ups, idle host,
    /// causes, the time for which the radio listened (in nanoseconds, not nanojoules), the daemon itself, all clients
    /// without an account of their own together, then one column for each client with an account.
    enum Column {
        static let states = 0
        static let sensors = EnergyLedger.State.allCases.count
        static let radio = sensors + 1
        static let hostWake = radio + 1
        static let hostIdle = hostWake + 1
        static let causes = hostIdle + 1
        static let scanned = causes + EnergyCause.allCases.count
        private static let own = scanned + 1
        private static let others = own + 1
        static let accounts = others + 1

        /// The column of the account with this index (slot) in the table `EnergyClients`.
        static func account(_ slot: Int) -> Int {
            switch slot {
            case EnergyClients.own: own
            case EnergyClients.others: others
            default: accounts + slot
            }
        }
    }

    /// The number of client columns by which the rows grow.
    static let growth = 8

    static let minute: UInt64 = 60_000_000_000
    private static let minutesPerQuarter: UInt64 = 15

    private var minutes = EnergyRing(entries: 61)
    private var quarters = EnergyRing(entries: 97)
    private var always = [Int64](repeating: 0, count: Column.accounts + growth)
    /// Nanoseconds since the ledger began.
    private(set) var age: UInt64 = 0
    private var minuteNumber: UInt64 = 0

    /// Nanoseconds until the next minute's row begins; at least 1.
    var untilRow: UInt64 { (minuteNumber + 1) * EnergyAccounts.minute - age }

    /// Advances the age of the accounts, by at most `untilRow` nanoseconds.
    ///
    /// - Returns: Whether a new quarter of an hour began, at which the oldest quarter's row may have been dropped.
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

    /// Makes room for the accounts of `count` clients.
    mutating func hold(clients count: Int) {
        let growth = EnergyAccounts.growth
        let width = Column.accounts + (count + growth - 1) / growth * growth
        guard width > always.count else { return }
        always += [Int64](repeating: 0, count: width - always.count)
        minutes.widen(to: width)
        quarters.widen(to: width)
    }

    mutating func add(_ nanojoules: Int64, column: Int) {
        minutes.add(nanojoules, column: column)
        quarters.add(nanojoules, column: column)
        always[column] += nanojoules
    }

    /// Moves the energy of `column` since the start to the column `other`; the rows of the last day must hold no energy
    /// in `column`.
    mutating func fold(_ column: Int, into other: Int) {
        always[other] += always[column]
        always[column] = 0
    }

    func isInDay(_ column: Int) -> Bool { quarters.holds(column) }

    /// The rows of a window, oldest first; `began` is the ledger's age when the row began, `nanoseconds` is the row's
    /// length, and the last row is still being filled.
    func rows(of window: EnergyLedger.HistoryWindow) -> [(row: [Int64], began: UInt64, nanoseconds: UInt64)] {
        switch window {
        case .hour: minutes.rows(until: age, each: EnergyAccounts.minute)
        case .day: quarters.rows(until: age, each: EnergyAccounts.minute * EnergyAccounts.minutesPerQuarter)
        }
    }

    /// The sums of a window's columns, and the nanoseconds that the window covers.
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

/// The rows of a window: energy is added to the newest row, and the oldest is dropped when the window is full.
///
/// Most columns of a row are zero, above all those of clients, so the older rows are stored without their zeros.
struct EnergyRing: Sendable {
    private let entries: Int
    private var newest = [Int64](repeating: 0, count: EnergyAccounts.Column.accounts + EnergyAccounts.growth)
    /// The older rows, oldest first: the index of each column that is not zero, its value, and the number of such
    /// columns in each row.
    private var columns: [UInt8] = []
    private var amounts: [Int64] = []
    private var counts: [UInt8] = []

    init(entries: Int) {
        self.entries = entries
        counts.reserveCapacity(entries)
    }

    /// Widens the newest row to `wider` columns; the added ones hold zeros.
    mutating func widen(to wider: Int) {
        newest += [Int64](repeating: 0, count: wider - newest.count)
    }

    mutating func add(_ nanojoules: Int64, column: Int) { newest[column] += nanojoules }

    /// Begins a new row; when the window is full, the oldest row is dropped.
    mutating func turn() {
        if counts.count == entries - 1 {
            let gone = Int(counts.removeFirst())
            columns.removeFirst(gone)
            amounts.removeFirst(gone)
        }
        let before = columns.count
        for column in newest.indices where newest[column] != 0 {
            columns.append(UInt8(column))
            amounts.append(newest[column])
            newest[column] = 0
        }
        counts.append(UInt8(columns.count - before))
    }

    func holds(_ column: Int) -> Bool { newest[column] != 0 || columns.contains(UInt8(column)) }

    /// All rows, oldest first; `age` is the ledger's age and `length` the length of a full row, both in nanoseconds.
    func rows(until age: UInt64, each length: UInt64) -> [(row: [Int64], began: UInt64, nanoseconds: UInt64)] {
        var rows: [(row: [Int64], began: UInt64, nanoseconds: UInt64)] = []
        var began = (age / length - UInt64(counts.count)) * length
        var start = 0
        for count in counts {
            var row = [Int64](repeating: 0, count: newest.count)
            for index in start..<start + Int(count) { row[Int(columns[index])] = amounts[index] }
            rows.append((row, began, length))
            began += length
            start += Int(count)
        }
        rows.append((newest, began, age - began))
        return rows
    }

    func sums() -> [Int64] {
        var sums = newest
        for index in columns.indices { sums[Int(columns[index])] += amounts[index] }
        return sums
    }

    /// The nanoseconds that the rows cover; `age` (the ledger's) and `length` (a full row's) are in nanoseconds too.
    func covered(of age: UInt64, each length: UInt64) -> UInt64 {
        let older = UInt64(entries - 1)
        let number = age / length
        return number <= older ? age : age - (number - older) * length
    }
}
