internal import ClientProtocol
internal import Configuration
internal import JSON
internal import Monitors

/// A region that the daemon is asked to watch.
struct RegionOrder {
    let name: String
    private let shape: RegionShape
    private let members: [String]
    private let dwell: Double?

    init(_ feature: RegionFeature) {
        name = feature.id
        shape = feature.shape
        dwell = feature.dwell
        var members = ["\"identifier\":\(DaemonRequest.quoted(feature.id))"] + RegionOrder.members(of: feature.shape)
        if !feature.notifyOnEntry { members.append("\"notifyOnEntry\":false") }
        if !feature.notifyOnExit { members.append("\"notifyOnExit\":false") }
        if let dwell = feature.dwell { members.append("\"dwell\":\(dwell)") }
        self.members = members
    }

    var request: String { DaemonRequest.text("monitorRegion", members) }

    /// Why no daemon would accept this region, and the remedy; nil where a daemon may accept it.
    var problem: String? {
        guard name.utf8.count <= ClientRequest.maximumIdentifierBytes else {
            return "a name has at most \(ClientRequest.maximumIdentifierBytes) bytes; give it a shorter one"
        }
        if let dwell, !ClientRequest.dwellRange.contains(dwell) {
            return "dwell is \(dwell); give seconds, from 1 to 31536000, or leave it out"
        }
        if case .circle(_, _, let radius) = shape, radius > ClientRequest.maximumRadius {
            return "radius \(radius) m is out of range; more than 0, at most 1000 km"
        }
        guard request.utf8.count <= ClientRequest.maximumLineBytes else {
            return "as a request it is \(request.utf8.count) bytes, and \(ClientRequest.maximumLineBytes) are the "
                + "most; simplify its border, or cut it into several regions"
        }
        return nil
    }

    /// Why the daemon refused the region, and the remedy; nil where it watches the region.
    func refusal(_ answer: DaemonLine, _ access: DaemonAccess) -> CommandFailure? {
        switch (answer.text("event"), answer.number("errorCode")) {
        case ("monitoring", _): return nil
        case ("error", _):
            guard ["badValue", "tooLong"].contains(answer.text("code")) else { break }
            return .data("\(name): \(answer.text("message") ?? "the daemon refused it")")
        case (_, 4):
            return .unavailable(
                "\(name): an operator has switched off that \(access.name) is started or told of what happens; "
                    + "on again: sextant clients wake on \(access.name)")
        default:
            let most = access.maximumRegions.map { "its most regions, \($0)" } ?? "all regions it may have"
            return .unavailable(
                "\(name): \(access.name) has \(most); remove some (sextant regions remove), or raise maximumRegions "
                    + "in /etc/sextant/clients.d/\(access.name).json5")
        }
        do {
            _ = try answer.checked()
            return nil
        } catch {
            return error
        }
    }

    private static func members(of shape: RegionShape) -> [String] {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            return ["\"latitude\":\(latitude)", "\"longitude\":\(longitude)", "\"radius\":\(radius)"]
        case .polygon(let polygon):
            let parts = polygon.parts.map { rings in
                "[\(rings.map(ring).joined(separator: ","))]"
            }
            guard parts.count > 1 else { return ["\"polygon\":\(parts.joined())"] }
            return ["\"multiPolygon\":[\(parts.joined(separator: ","))]"]
        }
    }

    /// A closed ring of positions, longitude first, as GeoJSON demands.
    private static func ring(_ positions: [RegionPolygon.Position]) -> String {
        let texts = (positions + positions.prefix(1)).map { "[\($0.longitude),\($0.latitude)]" }
        return "[\(texts.joined(separator: ","))]"
    }
}
