internal import SextantJSON
internal import SextantUnits

/// The messages of the OwnTracks apps.
///
/// Source of members, units and topics: OwnTracks Booklet, "JSON" (owntracks/booklet, docs/tech/json.md). That receivers
/// need coordinates in a `transition` and an accuracy above 0 was tried with OwnTracks Recorder 1.0.1 and Home Assistant
/// 2026.2.3.
struct OwnTracksPayloads: Sendable {
    /// Why a location is reported, by the letters of `t`.
    ///
    /// `p`, a ping, is not among them: nothing is reported again only because time has passed.
    enum Trigger: Sendable {
        /// Sent without a person or a region as its reason; the absence of `t` says the same.
        case automatic
        /// Asked for by a command.
        case asked
        /// Asked for by the owner at the board.
        case manual
        /// At the crossing of a region's border.
        case region

        var letter: StaticString? {
            switch self {
            case .automatic: nil
            case .asked: "r"
            case .manual: "u"
            case .region: "c"
            }
        }
    }

    let base: String
    let trackerID: String
    let series: UInt32

    var command: String { base + "/cmd" }

    /// Radii are whole metres, rounded up and never 0, which Home Assistant takes for no accuracy at all.
    private static func metres(_ radius: Double) -> Int64 { max(1, Int64(saturating: radius.rounded(.up))) }

    private static func seconds(_ instant: UTCInstant) -> Int64 {
        let seconds = instant.nanoseconds / 1_000_000_000
        return instant.nanoseconds % 1_000_000_000 < 0 ? seconds - 1 : seconds
    }

    /// A location.
    ///
    /// - Parameters:
    ///   - time: Of the fix: `tst` is required.
    ///   - created: When the message is made; told where it is another second than the fix's.
    ///   - names: Names for people of regions, by their identifiers.
    ///   - n: The record's number; nil for a fix that is not kept.
    ///   - isSignificant: Whether it is a significant change.
    func location(
        _ members: RecordMembers, time: UTCInstant, created: UTCInstant?, n: Int64?, battery: UplinkBattery?,
        trigger: Trigger, names: (String) -> String, isSignificant: Bool = false
    ) -> UplinkMessage? {
        guard let latitude = members.latitude, let longitude = members.longitude else { return nil }
        let payload = UplinkText.bytes { text in
            begin("location", latitude, longitude, time, to: &text)
            text.member(
                "\"acc\":", OwnTracksPayloads.metres(members.isReduced ? 5000 : members.horizontalAccuracy ?? 1))
            if !members.isReduced {
                text.member("\"alt\":", members.altitude, decimals: 0)
                text.member("\"vac\":", members.verticalAccuracy.map(OwnTracksPayloads.metres))
                text.member("\"vel\":", members.speed.map { $0 * 3.6 }, decimals: 0)
                // North is 0, and never 360.
                text.member("\"cog\":", members.course.map { $0 < 359.5 ? $0 : 0 }, decimals: 0)
            }
            if let battery {
                text.member("\"batt\":", battery.percent)
                text.member("\"bs\":", OwnTracksPayloads.state(battery))
            }
            if let letter = trigger.letter { text.member("\"t\":", literal: letter) }
            if let created, OwnTracksPayloads.seconds(created) != OwnTracksPayloads.seconds(time) {
                text.member("\"created_at\":", OwnTracksPayloads.seconds(created))
            }
            if !members.isReduced, !members.regions.isEmpty {
                text.member("\"inregions\":", members.regions.map(names))
                text.member("\"inrids\":", members.regions)
            }
            if isSignificant { text.member("\"m\":", 1) }
            text.member("\"_id\":", n.map { UplinkSeries.text(series) + "-" + String($0) })
            text.member("\"tid\":", trackerID)
            text.endObject()
        }
        return UplinkMessage(topic: base, payload: payload)
    }

    /// An entry or an exit; nil without coordinates, for which a receiver would drop it.
    func transition(_ members: RecordMembers, time: UTCInstant, n: Int64, region: UplinkRegion?) -> UplinkMessage? {
        guard members.kind == .enter || members.kind == .exit, let identifier = members.region,
            let latitude = members.latitude ?? region?.latitude,
            let longitude = members.longitude ?? region?.longitude
        else { return nil }
        let radius = members.isReduced ? 5000 : members.horizontalAccuracy ?? region?.radius ?? 1
        let payload = UplinkText.bytes { text in
            begin("transition", latitude, longitude, time, to: &text)
            text.member("\"event\":", literal: members.kind == .enter ? "enter" : "leave")
            text.member("\"desc\":", region?.name ?? identifier)
            text.member("\"rid\":", identifier)
            text.member("\"wtst\":", region?.timestamp ?? 0)
            text.member("\"acc\":", OwnTracksPayloads.metres(radius))
            text.member("\"t\":", literal: "c")
            text.member("\"_id\":", UplinkSeries.text(series) + "-" + String(n))
            text.member("\"tid\":", trackerID)
            text.endObject()
        }
        return UplinkMessage(topic: base + "/event", payload: payload)
    }

    /// A region that was added.
    func waypoint(_ region: UplinkRegion) -> UplinkMessage {
        UplinkMessage(
            topic: base + "/waypoint",
            payload: UplinkText.bytes { text in OwnTracksPayloads.waypoint(region, to: &text) })
    }

    /// All regions, asked for by a command.
    func waypoints(_ regions: [UplinkRegion]) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"_type\":", literal: "waypoints")
            text.beginArray("\"waypoints\":")
            for region in regions {
                OwnTracksPayloads.waypoint(region, to: &text)
                text.append(0x2C)
            }
            text.endArray()
            text.endObject()
        }
        return UplinkMessage(topic: base + "/waypoints", payload: payload)
    }

    private static func waypoint(_ region: UplinkRegion, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"_type\":", literal: "waypoint")
        text.member("\"desc\":", region.name)
        text.member("\"lat\":", region.latitude, decimals: 8)
        text.member("\"lon\":", region.longitude, decimals: 8)
        text.member("\"rad\":", metres(region.radius))
        text.member("\"tst\":", region.timestamp)
        text.member("\"rid\":", region.identifier)
        text.endObject()
    }

    func status(_ status: UplinkStatus) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"_type\":", literal: "status")
            text.member("\"queuedFixes\":", status.fixes)
            text.member("\"queuedEvents\":", status.events)
            text.endObject()
        }
        return UplinkMessage(topic: base + "/status", payload: payload)
    }

    /// The last will.
    func lastWill(_ time: UTCInstant) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"_type\":", literal: "lwt")
            text.member("\"tst\":", OwnTracksPayloads.seconds(time))
            text.endObject()
        }
        return UplinkMessage(topic: base, payload: payload)
    }

    /// The device's name on a map.
    func card(_ name: String) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"_type\":", literal: "card")
            text.member("\"name\":", name)
            text.member("\"tid\":", trackerID)
            text.endObject()
        }
        return UplinkMessage(topic: base + "/info", payload: payload, isRetained: true)
    }

    private func begin(
        _ type: StaticString, _ latitude: Double, _ longitude: Double, _ time: UTCInstant, to text: inout TextBuffer
    ) {
        text.beginObject()
        text.member("\"_type\":", literal: type)
        text.member("\"lat\":", latitude, decimals: 8)
        text.member("\"lon\":", longitude, decimals: 8)
        text.member("\"tst\":", OwnTracksPayloads.seconds(time))
    }

    /// `bs`: 0 unknown, 1 unplugged, 2 charging, 3 full.
    private static func state(_ battery: UplinkBattery) -> Int {
        guard let isCharging = battery.isCharging else { return 0 }
        return isCharging ? (battery.percent >= 100 ? 3 : 2) : 1
    }
}
