internal import SextantJSON

/// The retained message from which Home Assistant discovers the device and its entities.
///
/// Source of keys: Home Assistant, MQTT discovery, "Device discovery payload"; tried with Home Assistant 2026.2.3. The
/// device tracker has no availability topic, because otherwise a sleeping device would disappear from the map. A
/// `unique_id` never changes.
enum HomeAssistantDiscovery {
    /// The topic on which Home Assistant publishes `online` after its start.
    static let birth = "homeassistant/status"

    static func message(id: String, name: String, topics: OwnTopics) -> UplinkMessage {
        let payload = UplinkText.bytes(capacity: 3072) { text in
            text.beginObject()
            text.beginObject("\"dev\":")
            text.member("\"ids\":", ["sextant_" + id])
            text.member("\"name\":", name)
            text.endElement()
            text.beginObject("\"o\":")
            text.member("\"name\":", literal: "sextant-uplink")
            text.endElement()
            text.member("\"qos\":", 1)
            text.beginObject("\"cmps\":")
            for component in components(topics) { component.write(id: id, topics, to: &text) }
            text.endElement()
            text.endObject()
        }
        return UplinkMessage(
            topic: "homeassistant/device/sextant_" + id + "/config", payload: payload, isRetained: true)
    }

    /// One entity: its key, its platform, its name (nil for the device's name), and the further members that its
    /// platform needs.
    private struct Component {
        var key: String
        var platform: String
        var name: String?
        var members: [(key: String, value: String)]
        var list: (key: StaticString, values: [String])?
        /// Whether the entity is shown as unavailable while the device is offline.
        var needsDevice = false

        func write(id: String, _ topics: OwnTopics, to text: inout TextBuffer) {
            text.string(key)
            text.append(0x3A)
            text.beginObject()
            text.member("\"p\":", platform)
            text.member("\"uniq_id\":", "sextant_" + id + "_" + key)
            if let name { text.member("\"name\":", name) } else { text.append("\"name\":null," as StaticString) }
            for member in members {
                text.string(member.key)
                text.append(0x3A)
                text.value(member.value)
            }
            if let list { text.member(list.key, list.values) }
            if needsDevice { text.member("\"avty_t\":", topics.availability) }
            text.endElement()
        }
    }

    private static func components(_ topics: OwnTopics) -> [Component] {
        let place =
            "{{ {'latitude':value_json.latitude,'longitude':value_json.longitude,"
            + "'gps_accuracy':value_json.horizontalAccuracy}|tojson }}"
        return [
            Component(
                key: "position", platform: "device_tracker",
                members: [("json_attr_t", topics.location), ("json_attr_tpl", place)]),
            Component(
                key: "time", platform: "sensor", name: "Last fix",
                members: [
                    ("dev_cla", "timestamp"), ("stat_t", topics.location), ("val_tpl", "{{ value_json.time }}"),
                ]),
            Component(
                key: "accuracy", platform: "sensor", name: "Accuracy",
                members: [
                    ("dev_cla", "distance"), ("unit_of_meas", "m"), ("stat_t", topics.location),
                    ("val_tpl", "{{ value_json.horizontalAccuracy }}"),
                ], needsDevice: true),
            Component(
                key: "link", platform: "binary_sensor", name: "Connected",
                members: [
                    ("dev_cla", "connectivity"), ("stat_t", topics.availability), ("pl_on", "online"),
                    ("pl_off", "offline"),
                ]),
            Component(
                key: "region", platform: "event", name: "Region", members: [("stat_t", topics.event)],
                list: ("\"event_types\":", UplinkEvent.Kind.allCases.map { $0.rawValue })),
            Component(
                key: "locate", platform: "button", name: "Locate",
                members: [("cmd_t", topics.do), ("payload_press", "{\"do\":\"locate\"}")]),
            Component(
                key: "battery", platform: "sensor", name: "Battery",
                members: [
                    ("dev_cla", "battery"), ("unit_of_meas", "%"), ("stat_t", topics.health),
                    ("val_tpl", "{{ value_json.battery }}"),
                ], needsDevice: true),
            Component(
                key: "moving", platform: "binary_sensor", name: "Moving",
                members: [
                    ("dev_cla", "moving"), ("stat_t", topics.location), ("pl_on", "ON"), ("pl_off", "OFF"),
                    ("val_tpl", "{{ 'ON' if value_json.speed|default(0) > 0.5 else 'OFF' }}"),
                ], needsDevice: true),
            Component(
                key: "energy", platform: "sensor", name: "Energy of the last day",
                members: [
                    ("dev_cla", "energy"), ("unit_of_meas", "J"), ("stat_t", topics.energy),
                    ("val_tpl", "{{ value_json.lastDay }}"),
                ], needsDevice: true),
        ]
    }
}
