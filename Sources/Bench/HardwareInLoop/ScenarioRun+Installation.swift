internal import Glibc
internal import Receivers
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

/// The steps of a scenario on a Debian guest, where Sextant is installed as a package.
extension ScenarioRun {
    /// The systemd unit from `scripts/guests/debian-image` that relays the USB receiver while the receiver is plugged
    /// in.
    static let usbReceiver = "bench-usb-receiver.service"

    func carryOutInstallation(_ step: Step) throws(LoopFailure) -> StepResult {
        commandStart = bench.record.changes.count
        switch step {
        case .installPackage(let name):
            return try shell(
                "dpkg --install \(package(name)) && { [ -e /run/sextant.new ] || \(Self.keepConfiguration); }")
        case .havePackage: return try havePackage()
        case .editLine(let line, let file):
            let key = String(line.prefix { $0 != " " && $0 != ":" })
            // The replaced line of the file keeps its indentation; exactly one line of the file must begin with the
            // key.
            return try shell(
                "[ $(grep -c '^ *\(key)\\b' \(file)) = 1 ] && sed -i 's|^\\( *\\)\(key)\\b.*|\\1\(line)|' \(file)")
        case .run(let command): return try shell(command)
        case .retry(let command, let seconds): return try retry(command, within: seconds)
        case .refuse(let command, let error): return refused(try shell(command), saying: error)
        case .runInside(let command): return try inside(command)
        case .refuseInside(let command, let error): return try refusedInsideAlone(command, saying: error)
        default: return .failed("no step of an installation")
        }
    }

    /// After a scenario that passed, prepares the guest for the next scenario; after a failure, has the guest booted
    /// anew.
    func endInstallation(_ result: ScenarioResult) throws(LoopFailure) {
        guard result.hasPassed else {
            try bench.run(["/bin/sync"])
            bench.mustReset = true
            return
        }
        bench.hasPackage = try shell("[ -e /usr/sbin/sextantd ]") == .passed
        // A running daemon would keep the CP2112 bridge in use, so that the bridge could not be unplugged.
        if bench.hasPackage { try bench.run(["/bin/systemctl", "stop"] + ScenarioRun.units) }
        // Ends the program that follows the systemd journal; the next scenario starts a new one.
        _ = try bench.order(.signal(name: "daemon", SIGTERM))
        try bench.unplugBridge()
    }

    private static let units = ["sextantd.socket", "sextantd-gpsd.socket", "sextantd.service"]

    /// Installs Sextant's package; if it is installed already, restores its original configuration, empties its state
    /// and starts its units.
    private func havePackage() throws(LoopFailure) -> StepResult {
        guard bench.hasPackage else { return try carryOutInstallation(.installPackage("sextant")) }
        let units = ScenarioRun.units.joined(separator: " ")
        return try shell(
            """
            rm -rf /etc/sextant /var/lib/sextant/* && cp -a /run/sextant.new /etc/sextant &&
            systemctl reset-failed && systemctl start \(units)
            """)
    }

    /// The command that copies the package's original configuration, for later scenarios that find the package
    /// installed.
    private static let keepConfiguration = "cp -a /etc/sextant /run/sextant.new"

    /// Sets systemd's time limits for the daemon to the bench's `patience`, if there is one.
    ///
    /// The unit's own limits suit a board's processor, not an emulated one on a busy machine.
    func setUnitLimits() throws(LoopFailure) {
        guard let patience = bench.settings.patience else { return }
        let limits = ["TimeoutStartSec", "TimeoutStopSec", "WatchdogSec"].map { "\($0)=\(Int(patience))\n" }.joined()
        let file = "/run/systemd/system/sextantd.service.d/bench.conf"
        _ = try bench.order(.write(path: file, text: "[Service]\n" + limits))
    }

    /// The path of another package that was built together with Sextant's: it has the same folder and version, and only
    /// the name differs.
    private func package(_ name: String) -> String {
        let path = bench.settings.package
        guard let slash = path.lastIndex(of: "/"), let end = path[slash...].firstIndex(of: "_") else { return path }
        return "\(path[...slash])\(name)\(path[end...])"
    }

    /// Repeats a command until it succeeds, but at most for `seconds`.
    ///
    /// The pauses are four times as long as the command takes, so that the board's processor, which can be an emulated
    /// one, has time left for the work that the command waits for.
    private func retry(_ command: String, within seconds: Double) throws(LoopFailure) -> StepResult {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            let start = Clock.now()
            let result = try shell(command)
            guard case .failed = result, Clock.now() < deadline else { return result }
            try bench.wait(max(0.2, 4 * Double(Clock.now().nanoseconds(since: start)) / 1e9))
        }
    }

    /// Expects that a command failed with an error that contains a text; any other error fails the step.
    private func refused(_ result: StepResult, saying error: String) -> StepResult {
        guard case .failed(let why) = result else { return .failed("it went well") }
        return why.contains(error) ? .refused(why) : .failed("it failed with another error: \(why)")
    }

    /// Expects that the daemon's sandbox refuses a command that the daemon's user can run outside the sandbox.
    ///
    /// A command that this user cannot run anywhere would prove nothing about the sandbox.
    private func refusedInsideAlone(_ command: String, saying error: String) throws(LoopFailure) -> StepResult {
        let result = refused(try inside(command), saying: error)
        let outside = "setpriv --reuid sextant --regid sextant --init-groups /bin/sh \(ScenarioRun.insideCommand)"
        guard case .refused = result, case .failed(let why) = try shell(outside) else { return result }
        return .failed("its user may not do it outside of the sandbox either: \(why)")
    }

    /// Runs a command in a shell on the board and waits for its end.
    private func shell(_ command: String) throws(LoopFailure) -> StepResult {
        // A program in the guest that waits for a state stops after `patience` seconds; the shell gets a minute more.
        let seconds = bench.settings.patience.map { $0 + 60 } ?? 120
        let order = AgentOrder.run(["/bin/sh", "-c", command], timeout: Int(seconds))
        let answer = try bench.order(order, within: seconds + 30)
        if answer.number("status") == 0 { return .passed }
        let said = (answer.text("errors") ?? "") + (answer.text("output") ?? "")
        return .failed(said.split(separator: "\n").last.map(String.init) ?? "it failed without a word")
    }

    /// The path in the guest of the shell script that runs in the daemon's sandbox.
    private static let insideCommand = "/run/sextant-inside"
    /// The path of the file for the output of a command that runs in the daemon's sandbox; systemd opens the file
    /// outside of the sandbox.
    private static let insideWords = "/run/sextant-inside.said"

    /// Runs a command in a systemd unit with the daemon's sandbox settings, without the settings that only a
    /// long-running service needs.
    private func inside(_ command: String) throws(LoopFailure) -> StepResult {
        let unit = "/run/systemd/system/sextant-inside.service"
        let file = ScenarioRun.insideCommand
        _ = try bench.order(.write(path: file, text: command + "\n"))
        let daemon = "ExecStart|ExecStartPre|ExecStopPost|NotifyAccess|FileDescriptorStoreMax|Type|WatchdogSec"
        let own = "\(daemon)|Restart|RestartSec|Requires|After|StandardOutput|StandardError"
        let words = "StandardOutput=truncate:\(ScenarioRun.insideWords)\\nStandardError=inherit"
        return try shell(
            """
            if [ ! -e \(unit) ]; then
                mkdir -p /run/systemd/system
                sed -E -e '/^(\(own))=/d' -e 's|^.Service.$|&\\nType=oneshot\\n\(words)\\nExecStart=/bin/sh \(file)|' \
                    /lib/systemd/system/sextantd.service >\(unit)
                systemctl daemon-reload
            fi
            systemctl start sextant-inside.service && exit
            cat \(ScenarioRun.insideWords) >&2
            exit 1
            """)
    }

    /// Compares the levels that a GPIO line has had since the scenario's last command with the expected ones.
    func levels(_ role: LineRole, _ wanted: [Bool]) -> StepResult {
        var levels: [Bool] = []
        for change in bench.record.changes[commandStart...] where change.line == "\(role)" {
            let state = change.state
            guard !state.level || state.isDriven else { return .failed("it was on with nobody driving it") }
            if levels.last != state.level { levels.append(state.level) }
        }
        let text = levels.map { $0 ? "on" : "off" }.joined(separator: " ")
        return levels == wanted ? .passed : .failed(levels.isEmpty ? "it did not change" : "it went \(text)")
    }
}
