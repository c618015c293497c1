internal import SextantJSON
internal import SextantUnits

/// The messages of the OwnTracks apps.
///
/// Source of members, units and topics: OwnTracks Booklet, "JSON" (owntracks/booklet, docs/tech/json.md). Tests with
/// OwnTracks Recorder 1.0.1 and Home Assistant 2026.2.3: a `transition` needs coordinates and an accuracy above 0.
struct OwnTracksPayloads: Sendable {
    /// Why a location is reported; each case stands for a letter of the member `t`.
    ///
    /// The letter `p`, a ping, is missing: a location is never repeated merely because time has passed.
    enum Trigger: Sendable {
        /// Sent automatically and not because of a request or a region; the message has no `t`.
        case automatic
        /// Requested by a command.
        case asked
        /// Requested by the owner at the board.
        case manual
        /// Sent when the board crosses a region's border.
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

    /// A radius in whole metres, rounded up and at least 1, because Home Assistant reads 0 as an unknown accuracy.
    private static func metres(_ radius: Double) -> Int64 { max(1, Int64(saturating: radius.rounded(.up))) }

    private static func seconds(_ instant: UTCInstant) -> Int64 {
        let seconds = instant.nanoseconds / 1_000_000_000
        return instant.nanoseconds % 1_000_000_000 < 0 ? seconds - 1 : seconds
    }

    /// The message with a location; nil without coordinates.
    ///
    /// - Parameters:
    ///   - time: The time of the fix, which OwnTracks' member `tst` needs.
    ///   - created: When the message is made; left out of the message if it equals the time of the fix in whole
    ///     seconds.
    ///   - names: Returns a region's readable name for its identifier.
    ///   - n: The record's number; nil for a fix that is not in the queue.
    ///   - isSignificant: Whether the location is a significant change.
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
                // The course is rounded to whole degrees; north is 0, never 360.
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

    /// The message with an entry or an exit; nil without coordinates, because subscribers ignore such a message.
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

    /// The message about a region that was added.
    func waypoint(_ region: UplinkRegion) -> UplinkMessage {
        UplinkMessage(
            topic: base + "/waypoint",
            payload: UplinkText.bytes { text in OwnTracksPayloads.waypoint(region, to: &text) })
    }

    /// The message with all regions, which answers a command.
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

    /// The last-will message, which the broker publishes when the connection is lost.
    func lastWill(_ time: UTCInstant) -> UplinkMessage {
        let payload = UplinkText.bytes { text in
            text.beginObject()
            text.member("\"_type\":", literal: "lwt")
            text.member("\"tst\":", OwnTracksPayloads.seconds(time))
            text.endObject()
        }
        return UplinkMessage(topic: base, payload: payload)
    }

    /// The message with the device's name as maps show it.
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

    /// The battery's state as a number for OwnTracks' member `bs`: 0 unknown, 1 unplugged, 2 charging, 3 full.
    private static func state(_ battery: UplinkBattery) -> Int {
        guard let isCharging = battery.isCharging else { return 0 }
        return isCharging ? (battery.percent >= 100 ? 3 : 2) : 1
    }
}
