internal import Doctor
internal import SextantJSON

/// What on a host wastes power, and how much, as lines of text for the user.
enum SavingLines {
    static func text(of advice: PowerAdvice) -> [String] {
        var lines = advice.savings.flatMap(text)
        lines += advice.unknown.map { "left out: \($0)" }
        guard !advice.savings.isEmpty else { return lines + ["nothing wastes energy\(idle(advice))"] }
        return lines + ["together\(total(advice))"]
    }

    private static func text(of saving: Saving) -> [String] {
        let figure = saving.measurement.map { "\(milliwatts($0.milliwatts))" } ?? "not measured"
        var lines = ["\(figure): \(saving.what)", "    \(saving.change)", "    lost with it: \(saving.loss)"]
        if let measurement = saving.measurement { lines.append("    measured: \(measurement.source)") }
        return lines
    }

    private static func total(_ advice: PowerAdvice) -> String {
        guard let now = advice.idleNow, let after = advice.idleAfter, let total = advice.total else {
            return ": no measurement of this host is known"
        }
        return ": \(milliwatts(total)); with nothing to do the host draws \(milliwatts(now)) now, and "
            + "\(milliwatts(after)) then\(source(advice))"
    }

    private static func idle(_ advice: PowerAdvice) -> String {
        advice.idleNow.map { "; with nothing to do the host draws \(milliwatts($0))\(source(advice))" } ?? ""
    }

    private static func source(_ advice: PowerAdvice) -> String { advice.source.map { " (\($0))" } ?? "" }

    private static func milliwatts(_ value: Double) -> String { "\(Int(value.rounded())) mW" }

    static func objects(of advice: PowerAdvice) -> [String] {
        advice.savings.map(object) + [total(of: advice)]
    }

    private static func object(_ saving: Saving) -> String {
        var text = TextBuffer()
        text.beginObject()
        text.member("\"saving\":", saving.name)
        text.member("\"what\":", saving.what)
        text.member("\"milliwatts\":", saving.measurement?.milliwatts, decimals: 0)
        text.member("\"source\":", saving.measurement?.source)
        DoctorLines.append("\"change\":", saving.change, to: &text)
        text.member("\"loss\":", saving.loss)
        text.endObject()
        return DoctorLines.string(text)
    }

    private static func total(of advice: PowerAdvice) -> String {
        var text = TextBuffer()
        text.beginObject()
        text.member("\"idleMilliwatts\":", advice.idleNow, decimals: 0)
        text.member("\"idleMilliwattsAfter\":", advice.idleAfter, decimals: 0)
        text.member("\"savedMilliwatts\":", advice.total, decimals: 0)
        text.member("\"source\":", advice.source)
        text.endObject()
        return DoctorLines.string(text)
    }
}
