internal import ClientVocabulary
internal import DaemonClient
internal import HostSleep

/// Whether and why the board sleeps or stays on, as lines of text for the user.
enum HostLines {
    /// The line of `sextant status`.
    static func line(of host: DaemonLine) -> String {
        if let plan = host.object(.plan), let seconds = plan.number(.seconds) {
            let motion = plan.flag(.byMotion) == true ? ", wakes when moved" : ""
            return "board: going to sleep, asleep until \(Text.clock(seconds))\(motion)"
        }
        let reasons = host.texts(.reasons)
        return reasons.isEmpty
            ? "board: may sleep"
            : "board: stays on (\(reasons.joined(separator: ", "))); sextant host says more"
    }

    /// The lines of `sextant host`.
    static func text(of host: DaemonLine) -> [String] {
        var lines: [String] = []
        if let plan = host.object(.plan), let seconds = plan.number(.seconds) {
            let motion = plan.flag(.byMotion) == true ? ", or when it is moved" : ""
            let backstop = plan.number(.backstop).map { "; if that fails, after \(Text.duration($0))" } ?? ""
            lines.append("going to sleep; wakes in \(Text.duration(seconds))\(motion)\(backstop)")
            if plan.text(.verified) == "request" {
                lines.append("  the switch tells only what it was asked for, and not what its clock will do")
            }
        } else {
            let reasons = host.texts(.reasons)
            lines.append(reasons.isEmpty ? "nothing keeps the board on" : "the board stays on:")
            lines += reasons.map { "  \($0): \(StayAwakeReason(rawValue: $0)?.text ?? "")" }
        }
        if let boot = host.object(.boot), let cause = boot.text(.cause), cause != "unknown" {
            let told = boot.flag(.told) == true ? "the switch says" : "by the time"
            let slept = boot.number(.slept).map { " after \(Text.duration($0)) of sleep" } ?? ""
            let late = boot.number(.late).map { $0 > 60 ? ", \(Text.duration($0)) late" : "" } ?? ""
            lines.append("last woken by \(cause) (\(told))\(slept)\(late)")
        }
        let sleeps = host.objects(.sleeps)
        if sleeps.count > 1 { lines.append("the sleeps before, the newest first:") }
        lines += sleeps.dropLast().reversed().map { sleep in
            let late = sleep.number(.late).map { ", \(Text.duration(abs($0))) \($0 < 0 ? "early" : "late")" } ?? ""
            return
                "  \(Text.duration(sleep.number(.slept) ?? 0)), ended by \(sleep.text(.cause) ?? "unknown")\(late)"
        }
        return lines
    }
}

extension StayAwakeReason {
    /// A text that says what keeps the board on, and what the user can do about it.
    var text: String {
        switch self {
        case .notAllowed: "hostSleep.allowed is not true in /etc/sextant/sextant.json5"
        case .noSwitch: "the board's file names no switch that could cut the supply; add one to board, such as +pijuice"
        case .notTried: "the switch was not tried out: sudo sextant host try, three times, and one restart"
        case .noBackstop: "an alarm is the switch's only way back; wire motion to it, or set hostSleep.withoutBackstop"
        case .stayAwake:
            "the owner wants it: sextant host stay-awake 0, or remove sextant-stay-awake from the boot partition"
        case .gpsdClient: "a program reads positions from gpsd's port"
        case .everyEpoch: "a program watches every fix"
        case .heading: "a program watches headings"
        case .operator: "a command waits for answers of the daemon"
        case .foreground: "a program in the foreground watches locations, and did not allow the sleep"
        case .singleRequest: "a program waits for a location"
        case .background: "a program in the background watches locations, and did not allow the sleep"
        case .veto: "the manifest of a client that asks for something says hostSleep: \"veto\""
        case .nobodyAsks: "no client asks for anything, and hostSleep.onlyWhenAsked is set"
        case .moving: "the board moves, or came to rest less than a minute ago"
        case .tooSoon: "a location is due before a sleep would pay"
        case .maintenance: "it was switched on by hand, so that somebody can work on it"
        case .externalPower: "it is fed from outside; hostSleep.onExternalPower: \"sleep\" lets it sleep nevertheless"
        case .inhibitor: "a program forbids the shutdown; systemd-inhibit lists it"
        case .session: "somebody is logged in; loginctl lists who"
        case .secondMaster: "another program or a driver works on the switch; sudo sextant doctor names it"
        case .packageManager: "packages are being installed"
        case .storeFails: "the state cannot be written to the card; sextant status says why"
        case .clock:
            "the switch does not answer, as sextantd's journal then says, or the time is not known: it wants a time server, "
                + "or the receiver's first fix (sextant locate)"
        case .unanswered: "something that could forbid it cannot be found out; sudo sextant doctor names it"
        case .bootLoop: "it booted again and again without serving; it is tried again later"
        case .bootsUnknown: "what was stored of the boots before cannot be read; it begins anew at the next boot"
        case .missedAlarms: "two alarms in a row did not wake it; find out why, then sudo sextant host allow"
        case .alarmUnverified: "the switch did not hold the alarm that it was told"
        case .refused: "the system refused to power off"
        }
    }
}
