internal import SextantUnits
internal import UBX

/// Damages messages, and repairs the checksum of half of them so that the damage reaches the decoders.
struct Mutator {
    private var message: [UInt8] = []

    /// Appends a seed (a well-formed message) to `input`, whole or damaged.
    mutating func append(_ seed: [UInt8], other: [UInt8], to input: inout [UInt8], using random: inout SplitMix64) {
        message.removeAll(keepingCapacity: true)
        message.append(contentsOf: seed)
        if random.oneIn(2) {
            for _ in 0...random.below(3) where !message.isEmpty { damage(other, using: &random) }
            if random.oneIn(2) { repair() }
        }
        if random.oneIn(16) { for _ in 0...random.below(24) { input.append(random.byte()) } }
        input.append(contentsOf: message)
        if message.first != UBXFraming.sync1 {
            input.append(0x0D)
            input.append(0x0A)
        }
    }

    private mutating func damage(_ other: [UInt8], using random: inout SplitMix64) {
        let place = random.below(message.count)
        switch random.below(10) {
        case 0: message[place] ^= 1 << UInt8(random.below(8))
        case 1: message[place] = random.byte()
        case 2: message[place] = Mutator.edges[random.below(Mutator.edges.count)]
        case 3: splice(other, at: place, using: &random)
        case 4: message.removeLast(message.count - place)
        case 5: message.removeSubrange(place..<min(message.count, place + 1 + random.below(16)))
        case 6: duplicate(at: place, using: &random)
        case 7: setLength(using: &random)
        case 8: setWord(at: place, using: &random)
        default: setField(using: &random)
        }
    }

    private mutating func splice(_ other: [UInt8], at place: Int, using random: inout SplitMix64) {
        guard !other.isEmpty else { return }
        let from = random.below(other.count)
        let count = min(1 + random.below(24), other.count - from, message.count - place)
        for index in 0..<count { message[place + index] = other[from + index] }
    }

    private mutating func duplicate(at index: Int, using random: inout SplitMix64) {
        let end = min(message.count, index + 1 + random.below(48))
        guard message.count < 4096 else { return }
        message.insert(contentsOf: message[index..<end], at: end)
    }

    /// Changes a frame's length field, and half of the time changes the frame's real size to match.
    private mutating func setLength(using random: inout SplitMix64) {
        guard message[0] == UBXFraming.sync1, message.count >= UBXFraming.overhead else { return }
        let length = random.oneIn(4) ? random.below(65_536) : random.below(320)
        message[4] = UInt8(truncatingIfNeeded: length)
        message[5] = UInt8(truncatingIfNeeded: length >> 8)
        guard random.oneIn(2), length < 4096 else { return }
        while message.count < length + UBXFraming.overhead { message.append(random.byte()) }
        message.removeLast(message.count - length - UBXFraming.overhead)
    }

    /// Overwrites four bytes with a number at which arithmetic often fails, such as the limit of a type.
    private mutating func setWord(at index: Int, using random: inout SplitMix64) {
        let words: InlineArray<8, UInt32> = [
            0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF, 0x8000, 604_800_000,
        ]
        let word = words[random.below(8)]
        for byte in 0..<4 where index + byte < message.count {
            message[index + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte)))
        }
    }

    /// Replaces one field of a sentence with a text at which number parsers often fail.
    private mutating func setField(using random: inout SplitMix64) {
        guard message[0] == 0x24, let end = message.lastIndex(of: 0x2A) else { return }
        let wanted = random.below(20)
        var start: Int?
        var seen = 0
        var index = 1
        while index < end {
            if message[index] == 0x2C {
                if let start {
                    message.replaceSubrange(start..<index, with: Mutator.texts[random.below(Mutator.texts.count)])
                    return
                }
                if seen == wanted { start = index + 1 }
                seen += 1
            }
            index += 1
        }
    }

    private mutating func repair() {
        guard message.count >= 4 else { return }
        if message[0] == UBXFraming.sync1 { repairFrame() } else { repairSentence() }
    }

    private mutating func repairFrame() {
        guard message.count >= UBXFraming.overhead else { return }
        message[1] = UBXFraming.sync2
        let length = Int(message[4]) | Int(message[5]) << 8
        var end = UBXFraming.headerByteCount + length
        if end + 2 > message.count {
            end = message.count - 2
            let shorter = end - UBXFraming.headerByteCount
            message[4] = UInt8(truncatingIfNeeded: shorter)
            message[5] = UInt8(truncatingIfNeeded: shorter >> 8)
        }
        let checksum = Fletcher8(of: message.span.extracting(2..<end))
        message[end] = checksum.a
        message[end + 1] = checksum.b
    }

    private mutating func repairSentence() {
        message[0] = 0x24
        for index in 1..<message.count {
            if message[index] == 0x24 || !(0x20...0x7E).contains(message[index]) { message[index] = 0x39 }
        }
        var end = message.count
        if let star = message.firstIndex(of: 0x2A) { end = star }
        message.removeLast(message.count - end)
        var checksum: UInt8 = 0
        for index in 1..<message.count { checksum ^= message[index] }
        message.append(0x2A)
        message.append(Mutator.hexadecimal[Int(checksum >> 4)])
        message.append(Mutator.hexadecimal[Int(checksum & 15)])
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
    private static let edges: [UInt8] = [
        0, 1, 0x7F, 0x80, 0xFF, 0x24, 0x21, 0x2A, 0x2C, 0x2D, 0x2E, 0x39, 0x0D, 0xB5, 0x62,
    ]
    private static let texts: [[UInt8]] = [
        "", "0", "-1", "-0", "1", "9", "60", "61", "99", "255", "256", "257", "999", "9999", "32768", "65536",
        "999999999",
        "4294967296", "999999999999999999", "9999999999999999999", "-999999999999999999", ".", "-", "+", "1.", ".5",
        "0.000000000000000001", "1e9", "NaN", "inf", "9000.0000", "18000.0000", "235960.00", "000000.000", "240000",
        "311299", "010180", "290223", "A", "V", "N", "S", "E", "W", "FFFF", "000000000000000000000000",
    ].map { Array($0.utf8) }
}
