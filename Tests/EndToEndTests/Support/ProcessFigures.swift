import Foundation
import Glibc

/// What the kernel has counted of a process; reading it does not wake the process.
///
/// Source: proc_pid_stat(5), proc_pid_status(5), proc_pid_statm(5).
struct ProcessFigures: Equatable {
    /// Processor time, in and outside the kernel, in clock ticks (100 to the second).
    var ticks: Int
    /// How often any of its threads was put to sleep and so had to be woken.
    var sleeps: Int
    var threads: Int

    init(of process: Int32) throws {
        let stat = try Self.text("/proc/\(process)/stat")
        // The name in parentheses may contain anything; utime and stime are the 12th and 13th after it.
        let fields = stat[stat.index(after: stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 12 else { throw Late(description: "/proc/\(process)/stat: \(stat)") }
        ticks = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        threads = tasks.count
        sleeps = try tasks.reduce(0) { sum, task in
            let status = try Self.text("/proc/\(process)/task/\(task)/status")
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Bytes of memory in all.
    static func residentBytes(of process: Int32) throws -> Int {
        let fields = try text("/proc/\(process)/statm").split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Late(description: "no statm") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}
