/// The energy accounts: a row of nanojoules for every minute of an hour, for every quarter of a day, and one since the
/// start.
///
/// A row has a column for every part, cause and client. Each ring holds one row more than its window, because the
/// newest is still being written; so a window is never shorter than its name says, and its true length is reported.
/// The rows have columns for as many clients as have had accounts at the same time, and grow by eight of them.
struct EnergyAccounts: Sendable {
    /// The columns of a row, in order: the receiver's states, sensors, radio, host wake-ups, idle host, causes, nanoseconds,
    /// not nanojoules, for which the radio's windows were open, the daemon's own account, that of the others, and clients.
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

        /// The column of an account's slot.
        static func account(_ slot: Int) -> Int {
            switch slot {
            case EnergyClients.own: own
            case EnergyClients.others: others
            default: accounts + slot
            }
        }
    }

    /// By how many clients' columns the rows grow.
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

    /// Makes room for the accounts of as many clients.
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

/// Rows of a window: the newest is written to, and the oldest goes when there are as many as the window has.
///
/// Most columns of a row are nothing, above all those of clients; so of the older rows those are kept that are not.
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

    /// Begins a new row; the oldest goes where all have begun.
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
