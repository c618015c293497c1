import Foundation
import Testing

/// The time of the scripts that tune, and of an emulated receiver that shares it.
@Suite("The clock of the tuning scripts", .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TuneClockTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func run(_ text: String, _ arguments: [String] = []) async throws -> [String] {
        let result = try await TuningScript.run(python: text, arguments, in: scratch)
        #expect(result.status == 0, "\(result.program.errors)")
        return result.program.outputLines
    }

    @Test func `an emulated receiver's time passes only as ordered, and stops where the receiver sends`() async throws {
        let receiver = try await LiveReceiver(in: scratch)
        let lines = try await run(
            """
            import os
            from tuning.clock import EmulatedClock
            clock, port = EmulatedClock(sys.argv[1]), os.open(sys.argv[2], os.O_RDWR | os.O_NOCTTY)
            print(clock.now(), clock.now(), clock.state())
            # Nothing comes before it has booted.
            print(clock.is_readable(port, 0.1), round(clock.now(), 6))
            print(clock.is_readable(port, 60), clock.now() < 20, os.read(port, 1))
            clock.sleep(100)
            print(round(clock.now()) // 10, clock.state())
            print(clock.ask(1)["instant"] > 100e9)
            clock.socket.sendall(b"go on\\n")
            print(clock.lines.readline().strip())
            """, [receiver.clock, receiver.device])
        #expect(
            lines == [
                "10.0 10.0 acquire", "False 10.1", "True True b'$'", "11 track", "True",
                "error: write advance, an instant in nanoseconds and a number of bytes",
            ], "\(lines)")
    }

    @Test func `two runs of a measurement give the same numbers`() async throws {
        var records: [[String]] = []
        for _ in 1...2 {
            // The first receiver is killed, and may hold its clock's socket for a moment after that.
            let scratch = try Scratch()
            let receiver = try await LiveReceiver(in: scratch)
            let record = scratch.path("record.jsonl")
            let result = try await TuningScript(name: "tune-ttff", scratch: scratch)(
                "--model neo-m8n --device '\(receiver.device)' --clock '\(receiver.clock)' --hold 2 --repeats 2 "
                    + "--rounds 1 --off 30 --power sleep --record '\(record)'")
            #expect(result.status == 1, "\(result.program.errors)")
            // The last member is the time of the board's calendar.
            records.append(TuningScript.lines(of: record).map { $0.components(separatedBy: ",\"utc\"")[0] })
        }
        #expect(records[0] == records[1] && records[0].count > 8)
    }

    @Test func `a program that is late still reads what had come before it concludes anything`() async throws {
        let lines = try await run(
            """
            from tuning.families import sentence, ubx
            from tuning.receiver import Receiver, Stream

            class LateClock:
                \"\"\"Each look at it comes a minute after the one before.\"\"\"
                seconds = 0

                def now(self):
                    self.seconds += 60
                    return self.seconds

            class Port:
                \"\"\"Has heard something already.\"\"\"

                def __init__(self, data):
                    self.data = data

                def read(self, limit):
                    data, self.data = self.data, b""
                    return data

                def write(self, data):
                    pass

            def receiver(data):
                late = object.__new__(Receiver)
                late.clock, late.port, late.stream, late.heard_at = LateClock(), Port(data), Stream(), None
                return late

            fix = sentence("GPGGA,120000.00,4722.6,N,00832.5,E,1,08,1.0,408.0,M,48.0,M,,")
            print([report.has_fix for report in receiver(fix).reports(3)])
            print(receiver(b"").is_acknowledged(ubx(0x0611, b"")))
            print(receiver(ubx(0x0501, bytes((6, 0x11)))).is_acknowledged(ubx(0x0611, b"")))
            """)
        #expect(lines == ["[True]", "False", "True"], "\(lines)")
    }
}
