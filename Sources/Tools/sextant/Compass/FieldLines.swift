internal import Magnetism
internal import SextantJSON

/// A geomagnetic field as lines of text for the user, and as members of a JSON object.
enum FieldLines {
    static func text(of field: GeomagneticField) -> [String] {
        let known = field.uncertainty
        let rows = [
            angle("declination", field.declination, known?.declination, "from true to magnetic north, east positive"),
            angle("inclination", field.inclination, known?.inclination, "from the horizontal, down positive"),
            strength("x", field.north, known?.north, "north"),
            strength("y", field.east, known?.east, "east"),
            strength("z", field.down, known?.down, "down"),
            strength("h", field.horizontal, known?.horizontal, "horizontal"),
            strength("f", field.total, known?.total, "in all"),
        ]
        return TextTable.lines(rows) + statements(of: field)
    }

    private static func angle(_ name: String, _ value: Double, _ deviation: Double?, _ meaning: String) -> [String] {
        [name, "\(Text.fixed(value, 2))°", deviation.map { "± \(Text.fixed($0, 2))°" } ?? "", meaning]
    }

    private static func strength(
        _ name: String, _ value: Double, _ deviation: Double?, _ meaning: String
    ) -> [String] {
        [name, "\(Text.fixed(value, 1)) nT", deviation.map { "± \(Text.fixed($0, 0)) nT" } ?? "", meaning]
    }

    static func append(_ field: GeomagneticField, to text: inout TextBuffer) {
        let known = field.uncertainty
        text.member("\"declination\":", field.declination, decimals: 5)
        text.member("\"declinationUncertainty\":", known?.declination, decimals: 5)
        text.member("\"inclination\":", field.inclination, decimals: 5)
        text.member("\"inclinationUncertainty\":", known?.inclination, decimals: 5)
        text.member("\"x\":", field.north, decimals: 4)
        text.member("\"xUncertainty\":", known?.north, decimals: 1)
        text.member("\"y\":", field.east, decimals: 4)
        text.member("\"yUncertainty\":", known?.east, decimals: 1)
        text.member("\"z\":", field.down, decimals: 4)
        text.member("\"zUncertainty\":", known?.down, decimals: 1)
        text.member("\"h\":", field.horizontal, decimals: 4)
        text.member("\"hUncertainty\":", known?.horizontal, decimals: 1)
        text.member("\"f\":", field.total, decimals: 4)
        text.member("\"fUncertainty\":", known?.total, decimals: 1)
        text.member("\"validity\":", literal: validity(field.validity))
        text.member("\"zone\":", literal: zone(field.compassZone))
        let statements = statements(of: field)
        if !statements.isEmpty { text.member("\"statement\":", statements.joined(separator: "; ")) }
    }

    private static func validity(_ validity: WorldModelValidity) -> StaticString {
        switch validity {
        case .valid: "valid"
        case .before: "before"
        case .after: "after"
        }
    }

    private static func zone(_ zone: CompassZone) -> StaticString {
        switch zone {
        case .usable: "usable"
        case .caution: "caution"
        case .blackout: "blackout"
        }
    }

    /// Warnings that the date is outside the model's validity, or that a compass is unreliable at this place.
    private static func statements(of field: GeomagneticField) -> [String] {
        let time = field.validity == .valid ? nil : field.validity.description
        return [time, statement(of: field.compassZone)].compactMap(\.self)
    }

    private static func statement(of zone: CompassZone) -> String? {
        switch zone {
        case .usable: nil
        case .caution: "caution zone: less than 6000 nT of the field is horizontal, and a compass is unsure"
        case .blackout: "blackout zone: less than 2000 nT of the field is horizontal, and a compass is of no use"
        }
    }
}
