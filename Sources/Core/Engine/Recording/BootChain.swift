public import Parts
internal import SextantJSON
internal import SextantUnits

/// Checks that each boot in a flight recording begins with the store as the previous boot left it.
///
/// A board that sleeps makes a recording with each boot, and these can be replayed as one only if nothing is lost in
/// between. A checksum is kept of each row, and of what was learned about the receiver. Deferred fixes and the track
/// are not checked.
public struct BootChain {
    private struct Key: Hashable {
        var table: DurableTable
        var client: String
        var name: String
    }

    /// The number of boots in the recording so far.
    public private(set) var boots = 0
    /// The numbers, counted from 1, of the boots that began with other rows in the store than the previous boot left.
    public private(set) var breaks: [Int] = []
    /// The checksums of the rows in the store now, by the rows' keys.
    private var rows: [Key: UInt32] = [:]
    private var learned: UInt32?
    /// The checksums of the rows that the previous boot left; empty once the rows read at this boot were compared with
    /// them.
    private var before: [Key: UInt32] = [:]
    private var isBroken = false

    public init() {}

    /// Takes a replayed input, with the actions that it brought.
    public mutating func take(_ stamped: StampedInput, _ turn: borrowing Turn) {
        switch stamped.input {
        case .started(let configuration):
            boots += 1
            (before, rows) = (rows, [:])
            let found = configuration.power?.learned.map { CRC32.of($0.span) }
            isBroken = learned != nil && found != learned
            learned = found
        case .storeFound(let row):
            let key = Key(table: row.table, client: row.client, name: row.name)
            let check = CRC32.of(row.value.span)
            if before[key] != check { isBroken = true }
            rows[key] = check
        case .storeRead:
            if boots > 1, isBroken || rows.count < before.count { breaks.append(boots) }
            before = [:]
        default: break
        }
        for action in turn.actions {
            switch action {
            case .store(.put(let row)):
                rows[Key(table: row.table, client: row.client, name: row.name)] = CRC32.of(row.value.span)
            case .store(.remove(let table, let client, let name)):
                rows[Key(table: table, client: client, name: name)] = nil
            case .store(.erase(let client)): rows = rows.filter { $0.key.client != client }
            case .keepLearned(let range): learned = turn.text.withBytes(range) { CRC32.of($0) }
            default: break
            }
        }
    }
}
