internal import CLinux
internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import Page
internal import Reactor

/// The command `sextant-page`.
@main
enum SextantPage {
    /// Why the page cannot be served, and an exit status of sysexits(3).
    struct Failure: Error {
        var text: String
        var status: Int32
    }

    static func main() {
        do throws(PageOptions.Mistake) {
            let options = try PageOptions(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(run(options))
            case .showHelp: write(PageOptions.help, to: 1)
            case .showVersion: write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            write("Error: \(error.text)\nSee 'sextant-page --help' for more information.\n", to: 2)
            exit(64)
        }
    }

    private static func run(_ options: PageOptions) -> Int32 {
        do {
            try serve(options)
            return 0
        } catch let failure as Failure {
            log(failure.text)
            return failure.status
        } catch {
            log("\(error)")
            return 70
        }
    }

    private static func serve(_ options: PageOptions) throws {
        let secret = try secret(options)
        guard let assets = PageAssets(folder: options.web) else {
            throw Failure(
                text: "\(options.web): no page is there; install sextant-page, or name it with --web", status: 74)
        }
        let reactor = try Reactor()
        let listeners = try options.port.map { try listen(on: $0) } ?? passedListeners()
        var settings = PageService.Settings(
            daemon: DaemonAddress.path(options.socket), idleSeconds: options.port == nil ? 60 : nil)
        settings.metricsSecret = metricsSecret(options)
        if let text = PageAssets.read(options.config) { settings.configuration = PageConfiguration(text: text) }
        try reactor.onSignal { signal in if signal != .hangUp { reactor.stop() } }
        let service = try PageService(
            settings, secret: secret, assets: assets, listeners: listeners, reactor: reactor, log: log)
        service.onIdle { reactor.stop() }
        if options.port != nil {
            log("listening on port \(listeners.map { "\(clinux_tcp_port($0))" }.first ?? "")")
        }
        // What only the start needed.
        ProgramMemory.giveBack()
        try reactor.run()
        withExtendedLifetime(service) {}
    }

    // MARK: What it needs

    private static func secret(_ options: PageOptions) throws -> PageSecret {
        let path = options.secret ?? credential("page.secret") ?? "/etc/sextant/page.secret"
        guard let text = PageAssets.read(path) else {
            throw Failure(text: "\(path): cannot be read; sudo sextant page --new-secret writes one", status: 74)
        }
        let boot = PageAssets.read("/proc/sys/kernel/random/boot_id") ?? []
        guard
            let secret = PageSecret(
                text: String(decoding: text, as: UTF8.self), boot: String(decoding: boot, as: UTF8.self))
        else {
            throw Failure(
                text: "\(path): no secret of \(PageSecret.digits) hexadecimal digits; "
                    + "sudo sextant page --new-secret writes one", status: 74)
        }
        return secret
    }

    /// The secret of scrapers; nil where the owner has written none, and so has no metrics here.
    private static func metricsSecret(_ options: PageOptions) -> PageSecret? {
        let path = options.metricsSecret ?? credential("metrics.secret") ?? "/etc/sextant/metrics.secret"
        guard let bytes = PageAssets.read(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        if let secret = PageSecret(text: text, boot: "") { return secret }
        // What the unit hands over in the place of a file that is not there.
        if text != "off" {
            log(
                "\(path): no secret of \(PageSecret.digits) hexadecimal digits, so that the metrics are off; "
                    + "sudo sextant page --new-metrics-secret writes one")
        }
        return nil
    }

    /// The path of a secret that systemd hands over (`LoadCredential=`, systemd.exec(5)).
    private static func credential(_ name: String) -> String? {
        // Safety: the environment's text is copied before anything can change the environment.
        unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) + "/" + name }
    }

    /// The listening sockets that systemd passed (sd_listen_fds(3)).
    private static func passedListeners() throws -> [Int32] {
        // Safety: the environment's texts are copied before anything can change the environment.
        let owner = unsafe getenv("LISTEN_PID").flatMap { unsafe Int32(String(cString: $0)) }
        let count = unsafe getenv("LISTEN_FDS").flatMap { unsafe Int32(String(cString: $0)) } ?? 0
        guard owner == getpid(), (1...16).contains(count) else {
            throw Failure(
                text: "no socket was passed; start it by systemctl enable --now sextant-page.socket, or try it "
                    + "out with --port 8947", status: 69)
        }
        return try (3..<3 + count).map { number in
            guard clinux_listening_kind(number) != clinux_listening_not else {
                throw Failure(
                    text: "descriptor \(number) is no listening stream socket; see sextant-page.socket", status: 69)
            }
            return try SystemError.check(clinux_duplicate(number), "duplicate descriptor \(number)")
        }
    }

    private static func listen(on port: UInt16) throws -> [Int32] {
        // Safety: the C string lives for the call.
        let result = unsafe clinux_tcp_listen("127.0.0.1", port, 1024)
        if result == -EADDRINUSE {
            throw Failure(
                text: "port \(port): in use by another program; stop it, or choose another --port", status: 69)
        }
        return [try SystemError.check(result, "listen on port \(port)")]
    }

    // MARK: Output

    private static func log(_ text: String) { write("sextant-page: \(text)\n", to: 2) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // Safety: the bytes live for the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
