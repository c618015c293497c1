/// Writes an SVG document, element by element.
public struct SVGText: Sendable {
    private var document: String

    public init(width: Int, height: Int) {
        document = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif" fill="#222222">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>

            """
    }

    public var ended: String { document + "</svg>\n" }

    public mutating func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String) {
        document += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
        document += " height=\"\(Self.number(height))\" fill=\"\(fill)\"/>\n"
    }

    public mutating func line(
        x1: Double, y1: Double, x2: Double, y2: Double, stroke: String, width: Double, dashes: String? = nil
    ) {
        document += "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\" x2=\"\(Self.number(x2))\""
        document += " y2=\"\(Self.number(y2))\" stroke=\"\(stroke)\" stroke-width=\"\(Self.number(width))\""
        document += dashes.map { " stroke-dasharray=\"\($0)\"/>\n" } ?? "/>\n"
    }

    public mutating func path(_ commands: String, stroke: String, width: Double, dashes: String? = nil) {
        document += "<path d=\"\(commands)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(Self.number(width))\""
        if let dashes { document += " stroke-dasharray=\"\(dashes)\"" }
        document += " stroke-linejoin=\"round\"/>\n"
    }

    /// A filled area; its border is not drawn if `stroke` is nil.
    public mutating func area(_ commands: String, fill: String, opacity: Double, stroke: String? = nil) {
        document += "<path d=\"\(commands)\" fill=\"\(fill)\" fill-opacity=\"\(Self.number(opacity))\""
        document += " fill-rule=\"evenodd\""
        document += stroke.map { " stroke=\"\($0)\"/>\n" } ?? "/>\n"
    }

    /// A circle; its border is not drawn if `stroke` is nil.
    public mutating func circle(
        x: Double, y: Double, radius: Double, fill: String, opacity: Double = 1, stroke: String? = nil
    ) {
        document += "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\""
        document += " fill=\"\(fill)\""
        if opacity < 1 { document += " fill-opacity=\"\(Self.number(opacity))\"" }
        document += stroke.map { " stroke=\"\($0)\"/>\n" } ?? "/>\n"
    }

    /// Begins a group of elements with one common opacity, so that overlaps do not look darker.
    public mutating func beginGroup(opacity: Double) {
        document += "<g opacity=\"\(Self.number(opacity))\">\n"
    }

    /// Begins a group of elements that are clipped to a rectangle.
    public mutating func beginGroup(within name: String, x: Double, y: Double, width: Double, height: Double) {
        document += "<clipPath id=\"\(name)\"><rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
        document += " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/></clipPath>\n"
        document += "<g clip-path=\"url(#\(name))\">\n"
    }

    public mutating func endGroup() { document += "</g>\n" }

    /// Writes text whose baseline begins, ends or is centred at a position; turned text reads upwards.
    ///
    /// With a halo the text can be read over whatever lies below it.
    public mutating func text(
        _ content: String, x: Double, y: Double, size: Int, weight: String = "normal", anchor: String = "start",
        turned: Bool = false, fill: String? = nil, hasHalo: Bool = false
    ) {
        document += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(size)\""
        if weight != "normal" { document += " font-weight=\"\(weight)\"" }
        if let fill { document += " fill=\"\(fill)\"" }
        if hasHalo { document += " stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"" }
        if anchor != "start" { document += " text-anchor=\"\(anchor)\"" }
        if turned { document += " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" }
        document += ">\(Self.escaped(content))</text>\n"
    }

    /// A number with at most two decimals.
    public static func number(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        guard rest % 10 > 0 else { return "\(sign)\(whole).\(rest / 10)" }
        return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
