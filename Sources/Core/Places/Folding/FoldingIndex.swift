/// A searchable table of the letters that are replaced by others when names are compared, such as é by e.
///
/// It takes about 20 kB, and is made when the first letter beyond ASCII is folded.
struct FoldingIndex: Sendable {
    static let shared = FoldingIndex()

    /// The code points of the letters that are replaced, in ascending order.
    private var keys: [UInt16] = []
    /// For each letter of `keys`, the index in `all` just past the last letter that replaces it.
    private var ends: [UInt16] = []
    private var all: [UInt16] = []

    private init() {
        keys.reserveCapacity(3100)
        ends.reserveCapacity(3100)
        all.reserveCapacity(3600)
        var number: UInt16 = 0
        var isKey = true
        // Safety: a static string's bytes are never freed.
        let bytes = unsafe UnsafeBufferPointer(
            start: FoldingTable.text.utf8Start, count: FoldingTable.text.utf8CodeUnitCount)
        for place in 0..<FoldingTable.text.utf8CodeUnitCount {
            let byte = unsafe bytes[place]
            switch byte {
            case 0x30...0x39: number = number << 4 | UInt16(byte - 0x30)
            case 0x61...0x66: number = number << 4 | UInt16(byte - 0x61 + 10)
            case 0x20, 0x2C:
                if isKey { keys.append(number) } else { all.append(number) }
                number = 0
                isKey = byte == 0x2C
                if isKey { ends.append(UInt16(all.count)) }
            default: break
            }
        }
    }

    /// The letters that replace a letter when names are compared; nil if the letter stays as it is.
    func letters(of scalar: Unicode.Scalar) -> ArraySlice<UInt16>? {
        guard let wanted = UInt16(exactly: scalar.value) else { return nil }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        guard low < keys.count, keys[low] == wanted else { return nil }
        return all[(low == 0 ? 0 : Int(ends[low - 1]))..<Int(ends[low])]
    }
}
