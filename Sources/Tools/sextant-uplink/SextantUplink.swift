internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import Programs
internal import SextantReactor
internal import UplinkService

@main
enum SextantUplinkProgram {
    private static let program = ServiceProgram("sextant-uplink")

    static func main() {
        do throws(CommandWords.Mistake) {
            let options = try UplinkOptions(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(run { try serve(paths(options)) })
            case .check: exit(run { try UplinkService.check(paths(options)) })
            case .dropIn: exit(run { program.write(try UplinkService.dropIn(paths(options)), to: 1) })
            case .showHelp: program.write(UplinkOptions.help, to: 1)
            case .showVersion: program.write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            program.refuse(error.text)
        }
    }

    private static func run(_ body: () throws -> Void) -> Int32 {
        program.run {
            do { try body() } catch let failure as UplinkService.Failure {
                throw ServiceProgram.Failure(failure.description, status: failure.status)
            }
        }
    }

    private static func serve(_ paths: UplinkService.Paths) throws {
        _ = umask(0o077)
        UplinkService.boundMemory()
        let reactor = try Reactor()
        var running: UplinkService?
        try reactor.onSignal { signal in if signal == .hangUp { running?.sendNow() } else { reactor.stop() } }
        let service = try UplinkService(paths, reactor: reactor, log: program.log)
        running = service
        // Returns to the kernel the memory that only the start needed.
        ProgramMemory.giveBack()
        try reactor.run()
        service.stop()
    }

    // MARK: Where everything is

    private static func paths(_ options: UplinkOptions) -> UplinkService.Paths {
        let credentials = ServiceProgram.environment("CREDENTIALS_DIRECTORY")
        return UplinkService.Paths(
            config: options.config, daemon: DaemonAddress.path(options.socket),
            state: options.state ?? ServiceProgram.environment("STATE_DIRECTORY") ?? "/var/lib/sextant-uplink",
            runtime: options.runtime ?? ServiceProgram.environment("RUNTIME_DIRECTORY") ?? "/run/sextant-uplink",
            keys: options.keys.map { $0 + "/" } ?? credentials.map { $0 + "/uplink_" } ?? "/etc/sextant/uplink/",
            // The queue on the card has the identifier with the end of its line.
            boot: BootIdentifier.current + "\n",
            machine: (try? SmallFile.read("/etc/machine-id", upTo: 64)).map { String(decoding: $0, as: UTF8.self) })
    }
}
