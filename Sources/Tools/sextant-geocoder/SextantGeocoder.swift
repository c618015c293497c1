internal import CSextantLinux
internal import ClientVocabulary
internal import Configuration
internal import Geocoder
internal import Glibc
internal import Programs
internal import SextantReactor
internal import SextantSockets

@main
enum SextantGeocoder {
    private static let program = ServiceProgram("sextant-geocoder")

    static func main() {
        do throws(CommandWords.Mistake) {
            let options = try GeocoderOptions(CommandLine.arguments.dropFirst())
            switch options.request {
            case .serve: exit(program.run { try serve(options) })
            case .check: exit(check(options))
            case .showHelp: program.write(GeocoderOptions.help, to: 1)
            case .showVersion: program.write(ProtocolVersion.software + "\n", to: 1)
            }
        } catch {
            program.refuse(error.text)
        }
    }

    private static func check(_ options: GeocoderOptions) -> Int32 {
        do throws(ConfigurationError) {
            _ = try GeocoderSettings.read(from: options.config)
            return 0
        } catch {
            program.log(error.description)
            return error.isUnreadable ? 74 : 78
        }
    }

    private static func serve(_ options: GeocoderOptions) throws {
        // The umask keeps other users from every file that this program creates, from the file's creation on.
        _ = umask(0o077)
        let reactor = try Reactor()
        let service = try GeocoderService(
            settings(options), stamp: SettingsStamp.text(of: options.config), options: serviceOptions(options),
            reactor: reactor, log: program.log)
        service.onForbidden(stamp: { SettingsStamp.text(of: options.config) }) { settings(options) }
        try reactor.onSignal { signal in
            guard signal == .hangUp else { return reactor.stop() }
            do {
                try service.reconfigure(settings(options), stamp: SettingsStamp.text(of: options.config))
            } catch {
                program.log("\(error)")
            }
        }
        let listener = try listener(options, reactor) { service.serve($0) }
        service.onIdle { reactor.stop() }
        // Returns to the kernel the memory that only the start needed.
        ProgramMemory.giveBack()
        try reactor.run()
        withExtendedLifetime((service, listener)) {}
    }

    /// The settings; if the configuration is unusable, for example because it names no server, logs the error and
    /// returns nil.
    ///
    /// Without settings the service answers every request at once, without asking a server.
    private static func settings(_ options: GeocoderOptions) -> GeocoderSettings? {
        do throws(ConfigurationError) {
            return try GeocoderSettings.read(from: options.config)
        } catch {
            program.log("\(error); no server is asked")
            return nil
        }
    }

    private static func serviceOptions(_ options: GeocoderOptions) -> GeocoderService.Options {
        GeocoderService.Options(
            stateFolder: options.state ?? ServiceProgram.environment("STATE_DIRECTORY"), manifests: options.clients,
            idleSeconds: options.socket == nil ? 60 : nil, authority: options.authority, boot: BootIdentifier.current)
    }

    private static let settings = ConnectionSettings(
        separators: .newline, lineLimit: GeocoderService.lineLimit, outputCapacity: 1 << 18)

    /// A listener on the socket whose path the command line gives; if it gives none, on the socket that systemd passed.
    private static func listener(
        _ options: GeocoderOptions, _ reactor: Reactor, _ accepted: @escaping (Connection) -> Void
    ) throws -> UnixListener {
        do throws(LocalSocketError) {
            if let path = options.socket {
                return try UnixListener(
                    path: path, mode: 0o666, settings: settings, reactor: reactor, accepted: accepted)
            }
        } catch {
            throw ServiceProgram.Failure("\(error)", status: 69)
        }
        let number = try program.passedSockets(most: 1, trial: "--socket")[0]
        guard clinux_listening_kind(number) == clinux_listening_unix else {
            throw ServiceProgram.Failure("descriptor 3 is no Unix socket; see sextant-geocoder.socket", status: 69)
        }
        return try UnixListener(
            passed: Descriptor(adopting: number), path: "sextant-geocoder.socket", settings: settings, reactor: reactor,
            accepted: accepted)
    }
}

/// A short text by which a change of the configuration file is noticed.
enum SettingsStamp {
    /// The file's device and inode numbers, its size and the time of its last change, as one text; empty if there is no
    /// file.
    static func text(of path: String) -> String {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe stat(path, &status) == 0 else { return "" }
        return "\(status.st_dev).\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
