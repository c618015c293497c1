/// The BPF program that the kernel runs on each event of the management socket.
///
/// The program drops advertisements that are not from beacons, so that they do not wake the daemon: in a street there
/// are 500 of them per second. It only saves work; the advertisements that it passes are checked as strictly as without
/// it. The program is classic BPF; an instruction has a code, two jump lengths, and a number. Source: Linux,
/// `Documentation/networking/filter.rst` and `include/uapi/linux/bpf_common.h`.
public enum BeaconFilter {
    /// One instruction, with the fields of `struct sock_filter`.
    public struct Instruction: Sendable, Hashable {
        public var code: UInt16
        /// The number of instructions to skip if the comparison is true; `whenFalse` is the number of those to skip if
        /// it is false.
        public var whenTrue: UInt8 = 0
        public var whenFalse: UInt8 = 0
        public var value: UInt32 = 0
    }

    /// The largest number of structures of an advertisement that the program examines.
    private static let structures = 4

    private enum Code {
        static let loadByteAbsolute: UInt16 = 0x30
        static let loadHalfIndexed: UInt16 = 0x48
        static let loadByteIndexed: UInt16 = 0x50
        static let loadWordIndexed: UInt16 = 0x40
        static let loadIndex: UInt16 = 0x01
        static let and: UInt16 = 0x54
        static let addIndex: UInt16 = 0x0C
        static let addValue: UInt16 = 0x04
        static let toIndex: UInt16 = 0x07
        static let jump: UInt16 = 0x05
        static let jumpIfEqual: UInt16 = 0x15
        static let `return`: UInt16 = 0x06
    }

    /// The whole BPF program: passes an event to the daemon, or drops it.
    public static let program: [Instruction] = {
        var lines: [Line] = [
            // Bytes 0 and 1 are the event's code, little-endian; byte 1 is 0 in all existing codes.
            .load(Code.loadByteAbsolute, 0), .branch(0x2F, then: 1, otherwise: 0),
            .branch(0x12, then: 2, otherwise: nil),
            .index(22), .skip(1), .index(20),
        ]
        for _ in 0..<structures { lines += structure }
        lines.append(.drop)
        lines.append(.pass)
        return assemble(lines)
    }()

    /// Examines the structure at index register X: passes the event if the structure is that of a beacon, drops the
    /// event if its length is 0, otherwise goes on to the next structure.
    private static let structure: [Line] = [
        .load(Code.loadByteIndexed, 0), .branchToDrop(0),
        .load(Code.loadByteIndexed, 1), .branch(0xFF, then: 0, otherwise: 4),
        .load(Code.loadWordIndexed, 2), .branchToPass(0x4C00_0215),
        .load(Code.loadHalfIndexed, 4), .branchToPass(0xBEAC),
        .load(Code.loadByteIndexed, 1), .branch(0x16, then: 0, otherwise: 3),
        .load(Code.loadWordIndexed, 2), .mask(0xFFFF_DF00), .branchToPass(0xAAFE_0000),
        .load(Code.loadByteIndexed, 0), .addIndex, .addOne, .toIndex,
    ]

    /// An instruction whose jumps to the program's end are not yet computed.
    private enum Line {
        case load(UInt16, UInt32)
        case index(UInt32)
        case skip(UInt32)
        case mask(UInt32)
        case addIndex, addOne, toIndex
        /// Skips `then` instructions if the loaded number equals the given one, otherwise `otherwise` instructions; if
        /// `otherwise` is nil, a number that is not equal passes the event.
        case branch(UInt32, then: UInt8, otherwise: UInt8?)
        case branchToPass(UInt32)
        case branchToDrop(UInt32)
        case pass, drop
    }

    private static func assemble(_ lines: [Line]) -> [Instruction] {
        lines.enumerated().map { place, line in
            let toPass = UInt8(clamping: lines.count - 2 - place)
            let toDrop = UInt8(clamping: lines.count - 3 - place)
            return instruction(line, toPass: toPass, toDrop: toDrop)
        }
    }

    private static func instruction(_ line: Line, toPass: UInt8, toDrop: UInt8) -> Instruction {
        switch line {
        case .load(let code, let offset): Instruction(code: code, value: offset)
        case .index(let value): Instruction(code: Code.loadIndex, value: value)
        case .skip(let count): Instruction(code: Code.jump, value: count)
        case .mask(let value): Instruction(code: Code.and, value: value)
        case .addIndex: Instruction(code: Code.addIndex)
        case .addOne: Instruction(code: Code.addValue, value: 1)
        case .toIndex: Instruction(code: Code.toIndex)
        case .branch(let value, let then, let otherwise):
            Instruction(code: Code.jumpIfEqual, whenTrue: then, whenFalse: otherwise ?? toPass, value: value)
        case .branchToPass(let value): Instruction(code: Code.jumpIfEqual, whenTrue: toPass, value: value)
        case .branchToDrop(let value): Instruction(code: Code.jumpIfEqual, whenTrue: toDrop, value: value)
        case .drop: Instruction(code: Code.return, value: 0)
        case .pass: Instruction(code: Code.return, value: 0xFFFF_FFFF)
        }
    }
}
