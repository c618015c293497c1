internal import Receivers

/// The steps on a Debian that has Sextant's package installed.
extension ScenarioRun {
    /// The unit of `scripts/guests/debian-image` that relays the receiver's USB while it is plugged in.
    static let usbReceiver = "bench-usb-receiver.service"

    func carryOutInstallation(_ step: Step) throws(LoopFailure) -> StepResult {
        commandStart = bench.record.changes.count
        switch step {
        case .installPackage(let name): return try shell("dpkg --install \(package(name))")
        case .editLine(let line, let file):
            let key = String(line.prefix { $0 != " " && $0 != ":" })
            // The line keeps its own indentation; exactly one line must begin with the word.
            return try shell(
                "[ $(grep -c '^ *\(key)\\b' \(file)) = 1 ] && sed -i 's|^\\( *\\)\(key)\\b.*|\\1\(line)|' \(file)")
        case .run(let command): return try shell(command)
        case .refuse(let command): return try refused(shell(command))
        case .runInside(let command): return try inside(command)
        case .refuseInside(let command): return try refusedInsideAlone(command)
        default: return .failed("no step of an installation")
        }
    }

    /// The path of a package that was made with the package sextant: it lies beside it, and only its name differs.
    private func package(_ name: String) -> String {
        let path = bench.settings.package
        guard let slash = path.lastIndex(of: "/"), let end = path[slash...].firstIndex(of: "_") else { return path }
        return "\(path[...slash])\(name)\(path[end...])"
    }

    private func refused(_ result: StepResult) -> StepResult {
        guard case .failed(let why) = result else { return .failed("it went well") }
        return .measured(why)
    }

    /// Expects the daemon's sandbox to refuse a command that the daemon's user may run elsewhere.
    ///
    /// A command that the user may run nowhere would prove nothing about the sandbox.
    private func refusedInsideAlone(_ command: String) throws(LoopFailure) -> StepResult {
        let result = try refused(inside(command))
        let outside = "setpriv --reuid sextant --regid sextant --init-groups /bin/sh \(ScenarioRun.insideCommand)"
        guard case .measured = result, case .failed(let why) = try shell(outside) else { return result }
        return .failed("its user may not do it outside of the sandbox either: \(why)")
    }

    /// Runs a command in a shell and waits for its end.
    private func shell(_ command: String) throws(LoopFailure) -> StepResult {
        let answer = try bench.order(.run(["/bin/sh", "-c", command], timeout: 120), within: 150)
        if answer.number("status") == 0 { return .passed }
        let said = (answer.text("errors") ?? "") + (answer.text("output") ?? "")
        return .failed(said.split(separator: "\n").last.map(String.init) ?? "it failed without a word")
    }

    /// The file with the command that runs in the sandbox.
    private static let insideCommand = "/run/sextant-inside"

    /// Runs a command in a unit with the daemon's settings, without those that make the daemon a long-running service.
    private func inside(_ command: String) throws(LoopFailure) -> StepResult {
        let unit = "/run/systemd/system/sextant-inside.service"
        let file = ScenarioRun.insideCommand
        _ = try bench.order(.write(path: file, text: command + "\n"))
        let daemon = "ExecStart|ExecStartPre|ExecStopPost|NotifyAccess|FileDescriptorStoreMax|Type|WatchdogSec"
        let own = "\(daemon)|Restart|RestartSec|Requires|After"
        return try shell(
            """
            if [ ! -e \(unit) ]; then
                mkdir -p /run/systemd/system
                sed -E -e '/^(\(own))=/d' -e 's|^.Service.$|&\\nType=oneshot\\nExecStart=/bin/sh \(file)|' \
                    /lib/systemd/system/sextantd.service >\(unit)
                systemctl daemon-reload
            fi
            systemctl start sextant-inside.service && exit
            journalctl --unit sextant-inside.service --identifier sh --output cat --lines 1 >&2
            exit 1
            """)
    }

    /// Compares the levels that a line took since the last command with the expected ones.
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
