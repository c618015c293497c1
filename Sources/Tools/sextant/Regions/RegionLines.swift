internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON

/// Regions and region events as lines of text for the user.
enum RegionLines {
    /// - Parameter places: The place tables, which name the place at each circle's centre; nil for a text table without
    ///   that column.
    static func table(of regions: [DaemonLine], _ places: LocalPlaces? = nil) -> [String] {
        let heading = ["region", "shape", "tells of", "the board is", "since"]
        return LocalPlaces.table(heading, regions.map(cells), of: regions, places)
    }

    /// A region event as a line.
    static func text(of line: DaemonLine) -> String {
        let words =
            switch line.word(.transition, as: TransitionName.self) {
            case .enter: "entered"
            case .exit: "left"
            case .determined where line.word(.state) == RegionStateName.inside: "is in"
            case .determined where line.word(.state) == RegionStateName.outside: "is not in"
            case .determined: "may be in"
            default: "stayed in"
            }
        return "\(line.text(.time) ?? "time unknown            ")  \(words) \(line.text(.identifier) ?? "-")"
            + (line.text(.uuid) == nil ? "" : " by beacon \(BeaconLines.identity(of: line))")
    }

    private static func cells(_ region: DaemonLine) -> [String] {
        [
            region.text(.identifier) ?? "-", shape(of: region), wanted(region), region.text(.state) ?? "-",
            region.text(.date) ?? "-",
        ]
    }

    private static func wanted(_ region: DaemonLine) -> String {
        var words: [String] = []
        if region.flag(.notifyOnEntry) ?? true { words.append("entry") }
        if region.flag(.notifyOnExit) ?? true { words.append("exit") }
        if let dwell = region.number(.dwell) { words.append("a stay of \(Text.fixed(dwell, 0)) s") }
        return words.isEmpty ? "-" : words.joined(separator: ", ")
    }

    private static func shape(of region: DaemonLine) -> String {
        if let radius = region.number(.radius), let latitude = region.number(.latitude),
            let longitude = region.number(.longitude)
        {
            return "\(Text.fixed(radius, 0)) m about \(Text.fixed(latitude, 6)) \(Text.fixed(longitude, 6))"
        }
        if region.text(.uuid) != nil {
            let within = region.number(.within).map { "within \(Text.fixed($0, 1)) m of " } ?? ""
            return "\(within)beacons \(BeaconLines.identity(of: region))"
        }
        if case .array(let parts)? = region.value(.multiPolygon) { return "\(parts.count) polygons" }
        guard case .array(let rings)? = region.value(.polygon), case .array(let outer)? = rings.first else {
            return "-"
        }
        let holes = rings.count > 1 ? ", \(Text.plural(Double(rings.count - 1), "hole"))" : ""
        return "polygon of \(max(0, outer.count - 1)) corners\(holes)"
    }
}
