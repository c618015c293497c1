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

/// Rows in a ring: the newest is written to, and the oldest is overwritten by the next.
struct EnergyRing: Sendable {
    private let entries: Int
    private var rows: [Int64]
    private var head = 0
    /// The columns of a row.
    private var width = EnergyAccounts.Column.accounts + EnergyAccounts.growth

    init(entries: Int) {
        self.entries = entries
        rows = [Int64](repeating: 0, count: entries * width)
    }

    /// Adds columns of zeros behind those that each row has.
    mutating func widen(to wider: Int) {
        var widened: [Int64] = []
        widened.reserveCapacity(entries * wider)
        for start in stride(from: 0, to: rows.count, by: width) {
            widened += rows[start..<start + width]
            for _ in width..<wider { widened.append(0) }
        }
        (rows, width) = (widened, wider)
    }

    mutating func add(_ nanojoules: Int64, column: Int) {
        rows[head * width + column] += nanojoules
    }

    /// Begins a new row in the oldest one's place.
    mutating func turn() {
        head = (head + 1) % entries
        let start = head * width
        for index in start..<start + width { rows[index] = 0 }
    }

    func holds(_ column: Int) -> Bool {
        (0..<entries).contains { rows[$0 * width + column] != 0 }
    }

    /// The rows that have begun at `age`, oldest first, where each row stands for `length` nanoseconds.
    func rows(until age: UInt64, each length: UInt64) -> [(row: [Int64], began: UInt64, nanoseconds: UInt64)] {
        let newest = age / length
        return (newest - min(newest, UInt64(entries - 1))...newest).map { number in
            let place = (head + entries - Int(newest - number)) % entries
            let start = place * width
            let began = number * length
            return (
                Array(rows[start..<start + width]), began, min(length, age - began)
            )
        }
    }

    func sums() -> [Int64] {
        var sums = [Int64](repeating: 0, count: width)
        for index in rows.indices { sums[index % width] += rows[index] }
        return sums
    }

    /// Nanoseconds of `age` that the rows cover, where each row stands for `length` nanoseconds.
    func covered(of age: UInt64, each length: UInt64) -> UInt64 {
        let older = UInt64(entries - 1)
        let number = age / length
        return number <= older ? age : age - (number - older) * length
    }
}
