internal import CSextantLinux
internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import Page
internal import Programs
internal import SextantReactor

@main
enum SextantPage {
    private static let program = ServiceProgram("sextant-page")

    static func main() {
        do throws(CommandWords.Mistake) {
            let options = try PageOptions(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(program.run { try serve(options) })
            case .check: exit(program.run { try check(options) })
            case .showHelp: program.write(PageOptions.help, to: 1)
            case .showVersion: program.write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            program.refuse(error.text)
        }
    }

    private static func check(_ options: PageOptions) throws {
        let problems = configuration(options)?.allProblems ?? []
        for problem in problems.dropLast() { program.log("\(options.config): \(problem)") }
        if let last = problems.last { throw ServiceProgram.Failure("\(options.config): \(last)", status: 78) }
    }

    private static func serve(_ options: PageOptions) throws {
        let secret = try secret(options)
        guard let assets = PageAssets(folder: options.web) else {
            throw ServiceProgram.Failure(
                "\(options.web): no page is there; install sextant-page, or name it with --web", status: 74)
        }
        let reactor = try Reactor()
        let listeners =
            try options.port.map { try listen(on: $0) } ?? program.passedSockets(most: 16, trial: "--port 8947")
        var settings = PageService.Settings(
            daemon: DaemonAddress.path(options.socket), idleSeconds: options.port == nil ? 60 : nil)
        settings.metricsSecret = metricsSecret(options)
        settings.uplinkStatus = options.uplink ?? settings.uplinkStatus
        settings.configuration = configuration(options) ?? settings.configuration
        try reactor.onSignal { signal in if signal != .hangUp { reactor.stop() } }
        let service = try PageService(
            settings, secret: secret, assets: assets, listeners: listeners, reactor: reactor, log: program.log)
        service.onIdle { reactor.stop() }
        if options.port != nil {
            program.log("listening on port \(listeners.map { "\(clinux_tcp_port($0))" }.first ?? "")")
        }
        // Returns to the kernel the memory that only the start needed.
        ProgramMemory.giveBack()
        try reactor.run()
        withExtendedLifetime(service) {}
    }

    // MARK: What it needs

    /// The page's settings; nil if there is no settings file.
    private static func configuration(_ options: PageOptions) -> PageConfiguration? {
        (try? SmallFile.read(options.config, upTo: 1 << 20)).map { PageConfiguration(text: $0) }
    }

    private static func secret(_ options: PageOptions) throws -> PageSecret {
        let path = options.secret ?? credential("page.secret") ?? "/etc/sextant/page.secret"
        guard let text = text(of: path) else {
            throw ServiceProgram.Failure(
                "\(path): cannot be read; sudo sextant page --new-secret writes one", status: 74)
        }
        // The sessions of earlier releases have the identifier with the end of its line.
        guard let secret = PageSecret(text: text, boot: BootIdentifier.current + "\n") else {
            throw ServiceProgram.Failure(
                "\(path): no secret of \(PageSecret.digits) hexadecimal digits; "
                    + "sudo sextant page --new-secret writes one", status: 74)
        }
        return secret
    }

    /// The secret that a program must send to read the metrics; nil if the owner has written none, which switches the
    /// metrics off.
    private static func metricsSecret(_ options: PageOptions) -> PageSecret? {
        let path = options.metricsSecret ?? credential("metrics.secret") ?? "/etc/sextant/metrics.secret"
        guard let text = text(of: path) else { return nil }
        if let secret = PageSecret(text: text, boot: "") { return secret }
        // The systemd unit passes the word "off" in place of the secret if the secret's file does not exist.
        if text != "off" {
            program.log(
                "\(path): no secret of \(PageSecret.digits) hexadecimal digits, so that the metrics are off; "
                    + "sudo sextant page --new-metrics-secret writes one")
        }
        return nil
    }

    private static func text(of path: String) -> String? {
        (try? SmallFile.read(path, upTo: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path of a secret's file that systemd passes (`LoadCredential=`, systemd.exec(5)).
    private static func credential(_ name: String) -> String? {
        ServiceProgram.environment("CREDENTIALS_DIRECTORY").map { $0 + "/" + name }
    }

    private static func listen(on port: UInt16) throws -> [Int32] {
        // Safety: the C string lives for the call.
        let result = unsafe clinux_tcp_listen("127.0.0.1", port, 1024)
        if result == -EADDRINUSE {
            throw ServiceProgram.Failure(
                "port \(port): in use by another program; stop it, or choose another --port", status: 69)
        }
        return [try SystemError.check(result, "listen on port \(port)")]
    }
}
