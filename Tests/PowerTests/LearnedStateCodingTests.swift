import Receivers
import SextantUnits
import Testing

@testable import Power

@Suite("Encoding of the learned state")
struct LearnedStateCodingTests {
    private func decoded(_ bytes: [UInt8], _ receiver: String = "NEO-M8N 3.01")
        throws(LearnedStateError) -> LearnedState
    {
        try LearnedState(decoding: bytes.span, receiver: receiver, believing: LearnedStateTests.times)
    }

    private func learned() -> LearnedState {
        var state = LearnedStateTests.fresh()
        for index in 1...300 {
            let seconds = Double(index % 29 + 1)
            let kind = SleepKind.allCases[index % 4]
            state.noteStart(kind, off: Double(index * 60), ephemerisAge: Double(index), seconds: seconds)
            for beginning in [.moving, .pausing, .resting, .knocked] as [LearnedMovements.Beginning] {
                state.movements.note(beginning, metres: seconds * 10, seconds: 20, reference: 2)
            }
        }
        state.movements.isSensorProven = true
        state.noteFirstStart(seconds: 40)
        for _ in 0..<3 { state.noteStart(.hardware, off: 60, ephemerisAge: 0, seconds: 30) }
        return state
    }

    @Test func `a decoded state equals the encoded one, to the bit`() throws {
        let state = learned()
        #expect(try decoded(state.encode()) == state && state.backup == .suspect)
        let fresh = LearnedStateTests.fresh()
        #expect(try decoded(fresh.encode()) == fresh)
    }

    @Test func `the stored form has a bounded size, even with a long receiver name`() throws {
        let name = String(repeating: "é", count: 500)
        let long = LearnedState(receiver: name, believing: LearnedStateTests.times).encode()
        #expect(long.count == 3439 && long.count < LearnedState.maximumBytes)
        #expect(try decoded(long, name).receiver == String(repeating: "é", count: 64))
    }

    @Test func `the stored form is head, name, numbers, and the check of all before it`() throws {
        var record = RecordWriter()
        let name = "NEO-M8N 3.01"
        // Three numbers of the first start and of each cell, the counts by age, a histogram's count and bins.
        let cells = 3 * (1 + StartModel.cellCount)
        let bins = LearnedMovements.histogramCount * (1 + LogHistogram.binCount)
        record.write(raw: Array("SXLS".utf8))
        record.write(LearnedState.version)
        record.write(UInt16(1 + name.utf8.count + 8 * (cells + 2 * StartModel.ageCount + bins) + 2))
        record.write(UInt8(name.utf8.count))
        record.write(raw: Array(name.utf8))
        for index in 0..<cells { record.write(1 + Double(index) / 64) }
        for index in 0..<(2 * StartModel.ageCount) { record.write(10 - Double(index) / 8) }
        record.write(3 as UInt8)
        for _ in 0..<LearnedMovements.histogramCount {
            record.write(10.0)
            for _ in 0..<LogHistogram.binCount { record.write(1 / 64.0) }
        }
        record.write(1 as UInt8)
        record.write(crc(record.bytes))
        let state = try decoded(record.bytes)
        #expect(state.encode() == record.bytes && state.backup == .suspect)
    }

    @Test func `damage to any one byte is detected`() {
        let whole = learned().encode()
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            #expect(throws: LearnedStateError.damaged, "byte \(index)") { try decoded(damaged) }
        }
    }

    @Test func `a state that is too short or too long is refused as damaged`() {
        let whole = learned().encode()
        for length in 0..<whole.count {
            #expect(throws: LearnedStateError.damaged) { try decoded(Array(whole[..<length])) }
        }
        #expect(throws: LearnedStateError.damaged) { try decoded(whole + [0]) }
        #expect(throws: LearnedStateError.damaged) { try decoded([UInt8](repeating: 0, count: 5000)) }
    }

    @Test(arguments: [(1 as UInt8, LearnedStateError.outdated(version: 1)), (3, .tooNew(version: 3))])
    func `another version's state is not reported as damaged`(version: UInt8, error: LearnedStateError) {
        var other = learned().encode()
        other[4] = version
        let check = crc(Array(other[..<(other.count - 4)]))
        for index in 0..<4 {
            other[other.count - 4 + index] = UInt8(truncatingIfNeeded: check >> UInt32(8 * index))
        }
        #expect(throws: error) { try decoded(other) }
    }

    @Test func `numbers that learning cannot give are refused as damage, even with a correct checksum`() {
        let whole = learned().encode()
        // Behind the head and the name stands the first weight; before the check a histogram's count and its bins, and
        // whether the motion sensor has ever worked.
        let end = whole.count - 4
        for place in [8 + 1 + "NEO-M8N 3.01".utf8.count, end - 1 - 8 * 65, end - 9, end - 8] {
            var damaged = whole
            // Not a number.
            for index in place..<place + 8 { damaged[index] = 0xFF }
            let check = crc(Array(damaged[..<end]))
            for index in 0..<4 { damaged[end + index] = UInt8(truncatingIfNeeded: check >> UInt32(8 * index)) }
            #expect(throws: LearnedStateError.damaged, "byte \(place)") { try decoded(damaged) }
        }
    }

    @Test func `another receiver's state is refused, and the error names that receiver`() {
        #expect(throws: LearnedStateError.otherReceiver("NEO-M8N 3.01")) {
            try decoded(learned().encode(), "L76K")
        }
    }

    @Test func `an error says what was lost and what follows`() {
        let errors: [LearnedStateError] = [.damaged, .outdated(version: 1), .tooNew(version: 9), .otherReceiver("X")]
        #expect(errors.allSatisfy { "\($0)".contains("learning begins anew") })
    }

    /// CRC-32 by its definition, bit by bit.
    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
        }
        return ~value
    }
}
