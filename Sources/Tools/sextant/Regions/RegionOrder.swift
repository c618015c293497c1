internal import Beacons
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import DaemonClient
internal import Monitors
internal import SextantJSON

/// A request to the daemon to watch a region; it also interprets the daemon's answer.
struct RegionOrder {
    let name: String
    private let condition: RegionCondition
    let request: DaemonRequest
    private let dwell: Double?

    init(_ feature: RegionFeature) {
        name = feature.id
        condition = .area(feature.shape)
        dwell = feature.dwell
        request = RegionOrder.request(for: feature.shape).with(.identifier, feature.id)
            .with(.notifyOnEntry, feature.notifyOnEntry ? nil : false)
            .with(.notifyOnExit, feature.notifyOnExit ? nil : false).with(.dwell, feature.dwell)
    }

    /// Makes a request to watch a beacon region: the board is inside while it receives one of the region's beacons,
    /// from at most `within` metres away if this is given.
    init(
        _ name: String, _ beacons: BeaconConstraint, within: Double?, dwell: Double?, notifyOnEntry: Bool,
        notifyOnExit: Bool,
        notifyOnDisplay: Bool
    ) {
        self.name = name
        condition = .beacons(beacons)
        self.dwell = dwell
        request = DaemonRequest(.monitorRegion).with(beacons).with(.identifier, name)
            .with(.notifyEntryStateOnDisplay, notifyOnDisplay ? true : nil)
            .with(.notifyOnEntry, notifyOnEntry ? nil : false).with(.notifyOnExit, notifyOnExit ? nil : false)
            .with(.dwell, dwell).with(.within, within)
    }

    /// A text that says why any daemon would refuse this region, and what helps; nil if nothing is wrong with the
    /// region.
    var problem: String? {
        guard name.utf8.count <= ClientRequest.maximumIdentifierBytes else {
            return "a name has at most \(ClientRequest.maximumIdentifierBytes) bytes; give it a shorter one"
        }
        if let dwell, !ClientRequest.dwellRange.contains(dwell) {
            return "dwell is \(dwell); give seconds, from 1 to 31536000, or leave it out"
        }
        if case .area(.circle(_, _, let radius)) = condition, radius > ClientRequest.maximumRadius {
            return "radius \(radius) m is out of range; more than 0, at most 1000 km"
        }
        guard request.text.utf8.count <= ClientRequest.maximumLineBytes else {
            return "its request has \(request.text.utf8.count) bytes, and at most \(ClientRequest.maximumLineBytes) "
                + "are allowed; simplify its border, or cut it into several regions"
        }
        return nil
    }

    /// A failure whose text says why the daemon refused the region, and what helps; nil if the daemon watches the
    /// region.
    func refusal(_ answer: DaemonLine, _ access: DaemonAccess) -> CommandFailure? {
        switch (answer.event, answer.failure) {
        case (.monitoring, _): return nil
        case (.error, _):
            guard answer.code == .badValue || answer.code == .tooLong else { break }
            return .data("\(name): \(answer.text(.message) ?? "the daemon refused it")")
        case (_, .regionMonitoringDenied):
            return .refused(
                "\(name): an operator has switched off starts and events for \(access.name); "
                    + "switch them on: sextant clients wake on \(access.name)")
        case (_, .regionMonitoringFailure) where answer.word(.reason) == FailureReason.noRadio:
            return .unavailable("\(name): the board has no radio that hears beacons; see sextant doctor --beacons")
        default:
            let limit = access.maximumRegions.map { ", \($0)" } ?? ""
            return .unavailable(
                "\(name): \(access.name) has reached its limit of regions\(limit); remove some (sextant regions "
                    + "remove), or raise maximumRegions in /etc/sextant/clients.d/\(access.name).json5")
        }
        do {
            _ = try answer.checked()
            return nil
        } catch {
            return error
        }
    }

    private static func request(for shape: RegionShape) -> DaemonRequest {
        let request = DaemonRequest(.monitorRegion)
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            return request.with(.latitude, latitude).with(.longitude, longitude).with(.radius, radius)
        case .polygon(let polygon):
            let parts = polygon.parts.map { JSONValue.array($0.map(ring)) }
            return parts.count == 1
                ? request.with(.polygon, json: parts.first) : request.with(.multiPolygon, json: .array(parts))
        }
    }

    /// A closed ring of positions, longitude first, as GeoJSON demands.
    private static func ring(_ positions: [RegionPolygon.Position]) -> JSONValue {
        .array((positions + positions.prefix(1)).map { .array([.number($0.longitude), .number($0.latitude)]) })
    }
}
