internal import ClientVocabulary
internal import Glibc
internal import HostHelper
internal import HostSleep
internal import Programs
internal import SextantReactor

@main
enum SextantHost {
    private static let program = ServiceProgram("sextant-host")
    /// The time limit of the shutdown hook in seconds, since systemd waits for the hook: SIGALRM then kills it, which
    /// counts as a failure.
    private static let hookLimit: UInt32 = 3

    static func main() {
        do throws(CommandWords.Mistake) {
            let options = try HostOptions(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(program.run { try serve(options) })
            case .hook(let action): exit(hook(action, options))
            case .showHelp: program.write(HostOptions.help, to: 1)
            case .showVersion: program.write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            program.refuse(error.text)
        }
    }

    private static let clocks = HostClocks(
        wall: { Clock.utcIsSynchronized ? Clock.utc() : nil }, uptime: { Clock.now() })

    private static func serve(_ options: HostOptions) throws {
        let helper = HostHelper(folders: options.folders, clocks: clocks, manager: Logind()) {
            hostSwitch throws(HostSwitchProblem) in try HostSwitchOpener.open(hostSwitch)
        }
        guard let answer = try helper.serve() else { return }
        let refused = answer.refusal.map { "not switched off: \($0.reason)" }
        program.log(refused ?? "the host is switched off until its alarm")
    }

    private static func hook(_ action: String, _ options: HostOptions) -> Int32 {
        _ = alarm(hookLimit)
        let hook = HostHook(folders: options.folders, clocks: clocks, open: HostSwitchOpener.open)
        switch hook.run(action) {
        case .ignores, .isFinal, .cuts: return 0
        case .reboots(let reason):
            program.log("the host starts again instead of sleeping: \(reason)")
            return 1
        case .isFinalUncleared(let reason):
            program.log("\(reason)")
            return 1
        }
    }
}
