internal import Glibc
internal import Store

/// `store-appender LOG CAPACITY [FILE-LIMIT]`: appends to a log for ever and tells each step, to be killed by a test.
///
/// A line for each: `opened N`, `accepted SEQUENCE`, `acknowledging SEQUENCE`, `acknowledged SEQUENCE`, `failed KIND`.
/// A payload is made of its sequence alone. With a limit no file may grow past so many bytes, as on a full card; after
/// the first failure the limit is lifted, one more batch is appended, and it ends.
@main
enum StoreAppender {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let capacity = Int(arguments[2]) else { exit(64) }
        do throws(StoreError) {
            var log = try AppendLog(path: arguments[1], capacity: capacity)
            tell("opened \(log.count)")
            if arguments.count > 3, let limit = rlim_t(arguments[3]) { limitFiles(to: limit) }
            do throws(StoreError) {
                while true { try step(&log) }
            } catch {
                tell("failed \(error.kind)")
            }
            limitFiles(to: rlim_t.max)
            try append(to: &log)
        } catch {
            tell("failed \(error.kind)")
        }
    }

    private static func limitFiles(to bytes: rlim_t) {
        _ = signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
        // Safety: the kernel reads one `rlimit`, which outlives the call.
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
    }

    private static func step(_ log: inout AppendLog) throws(StoreError) {
        try append(to: &log)
        let next = log.lastSequence + 1
        guard next % 7 == 0, next > 30 else { return }
        tell("acknowledging \(next - 30)")
        try log.acknowledge(through: next - 30)
        tell("acknowledged \(next - 30)")
    }

    private static func append(to log: inout AppendLog) throws(StoreError) {
        let next = log.lastSequence + 1
        tell("accepted \(try log.append((0..<next % 4 + 1).map { payload(of: next + $0) }).lastSequence)")
    }

    private static func payload(of sequence: UInt64) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: Int(sequence * 37 % 300))
    }

    private static func tell(_ line: String) {
        var text = line + "\n"
        // Safety: the bytes live until the call returns; a reader that is gone is no matter.
        text.withUTF8 { _ = unsafe write(1, $0.baseAddress, $0.count) }
    }
}
