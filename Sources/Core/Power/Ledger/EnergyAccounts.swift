/// The energy accounts, in nanojoules: a row for every minute of the last hour, a row for every quarter of an hour of
/// the last day, and one row for all time since the start.
///
/// A row has a column for every part, cause and client. Each ring holds one row more than its window, because the
/// newest is still being written; so a window is never shorter than its name says, and its true length is reported.
/// The number of client columns is the largest number of accounts that existed at one time, rounded up to eights.
struct EnergyAccounts: Sendable {
    /// The columns of a row, in order: the receiver's states, sensors, radio, host wake-ups, idle host, causes, the
    /// radio's time of listening (in nanoseconds, not nanojoules), the daemon's account, the others' account, clients.
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

        /// The column of the account that has this slot in `EnergyClients`.
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

    /// Advances the time of the accounts, by at most `untilRow`.
    ///
    /// - Returns: Whether a new quarter of an hour began, so that an old one may have left the last day.
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

    /// Adds a column's energy since the start to another column; the last day's rows must hold none of it.
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

/// The rows of a window: energy is added to the newest row, and the oldest is dropped when the window is full.
///
/// Most columns of a row are zero, above all those of clients, so the older rows are stored without their zeros.
struct EnergyRing: Sendable {
    private let entries: Int
    private var newest = [Int64](repeating: 0, count: EnergyAccounts.Column.accounts + EnergyAccounts.growth)
    /// The older rows, the oldest first: the columns that are not zero, their values, and their number in each row.
    private var columns: [UInt8] = []
    private var amounts: [Int64] = []
    private var counts: [UInt8] = []

    init(entries: Int) {
        self.entries = entries
        counts.reserveCapacity(entries)
    }

    /// Adds columns of zeros behind those that the newest row has.
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

    /// The rows that have begun at `age`, oldest first, where each row stands for `length` nanoseconds.
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

    /// Nanoseconds of `age` that the rows cover, where each row stands for `length` nanoseconds.
    func covered(of age: UInt64, each length: UInt64) -> UInt64 {
        let older = UInt64(entries - 1)
        let number = age / length
        return number <= older ? age : age - (number - older) * length
    }
}
