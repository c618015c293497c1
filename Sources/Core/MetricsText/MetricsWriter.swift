internal import SextantJSON

/// Writes families of metrics, each with its name, type and samples; a family without a sample is left out.
struct MetricsWriter: ~Copyable {
    typealias Sample = (labels: [(String, String)], value: Double)

    enum Kind {
        case gauge, counter, summary, histogram, info

        var name: StaticString {
            switch self {
            case .gauge: "gauge"
            case .counter: "counter"
            case .summary: "summary"
            case .histogram: "histogram"
            case .info: "info"
            }
        }
    }

    /// One histogram of a family, told apart from the others by its labels.
    struct Histogram {
        var labels: [(String, String)]
        var bounds: [String]
        /// The count of each bucket, not cumulative; the last bucket counts the values above the last bound.
        var bars: [Double]
        var sum: Double
    }

    private let format: MetricsText.Format
    private var text = TextBuffer()

    init(_ format: MetricsText.Format) { self.format = format }

    /// Ends the metrics, and appends them to a text.
    consuming func end(to other: inout TextBuffer) {
        if format == .openMetrics { text.append("# EOF\n" as StaticString) }
        text.withBytes { other.append($0) }
    }

    // MARK: Families

    mutating func gauge(_ name: String, _ help: String, _ value: Double?, unit: String? = nil) {
        family(name, .gauge, help, value.map { [([], $0)] } ?? [], unit: unit)
    }

    mutating func counter(_ name: String, _ help: String, _ value: Double?, unit: String? = nil) {
        family(name, .counter, help, value.map { [([], $0)] } ?? [], unit: unit)
    }

    /// Writes a series for each possible state: 1 for the present one, 0 for the others.
    mutating func states(_ name: String, _ help: String, _ state: String?, of all: [String]) {
        guard let state else { return }
        family(name, .gauge, help, all.map { ([("state", $0)], $0 == state ? 1 : 0) })
    }

    /// Writes facts as the labels of a series whose value is always 1.
    mutating func info(_ name: String, _ help: String, _ labels: [(String, String)]) {
        // Prometheus's own text format has no info type, so a gauge is written.
        let isPlain = format == .plain
        head(isPlain ? name + "_info" : name, isPlain ? .gauge : .info, help, unit: nil)
        sample(name + "_info", labels, 1)
    }

    /// Writes a family with the given samples; the samples of a counter are named `name` with `_total` added.
    mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample], unit: String? = nil) {
        guard !samples.isEmpty else { return }
        let full = kind == .counter ? name + "_total" : name
        head(kind == .counter && format == .plain ? full : name, kind, help, unit: unit)
        for (labels, value) in samples { sample(full, labels, value) }
    }

    mutating func histogram(_ name: String, _ help: String, _ histograms: [Histogram], unit: String) {
        let whole = histograms.filter { $0.bars.count == $0.bounds.count + 1 }
        guard !whole.isEmpty else { return }
        head(name, .histogram, help, unit: unit)
        for histogram in whole {
            var sum = 0.0
            for (bound, bar) in zip(histogram.bounds + ["+Inf"], histogram.bars) {
                sum += bar
                // OpenMetrics requires the bounds of buckets to be written with a fraction, such as 1.0.
                let written = format == .openMetrics && bound != "+Inf" ? bound + ".0" : bound
                sample(name + "_bucket", histogram.labels + [("le", written)], sum)
            }
            sample(name + "_sum", histogram.labels, histogram.sum)
            sample(name + "_count", histogram.labels, sum)
        }
    }

    // MARK: Lines

    private mutating func head(_ name: String, _ kind: Kind, _ help: String, unit: String?) {
        text.append("# HELP \(name) \(help)\n")
        text.append("# TYPE \(name) ")
        text.append(kind.name)
        text.append("\n" as StaticString)
        if let unit, format == .openMetrics { text.append("# UNIT \(name) \(unit)\n") }
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        text.append(name)
        if !labels.isEmpty {
            text.append("{" as StaticString)
            for (place, label) in labels.enumerated() {
                if place > 0 { text.append("," as StaticString) }
                text.append("\(label.0)=\"")
                appendEscaped(label.1)
                text.append("\"" as StaticString)
            }
            text.append("}" as StaticString)
        }
        text.append(" \(Int(exactly: value).map { "\($0)" } ?? "\(value)")\n")
    }

    private mutating func appendEscaped(_ value: String) {
        for byte in value.utf8 {
            switch byte {
            case 0x5C: text.append("\\\\" as StaticString)
            case 0x22: text.append("\\\"" as StaticString)
            case 0x0A: text.append("\\n" as StaticString)
            default: text.append(byte)
            }
        }
    }
}
