"""A stand-in for Home Assistant's MQTT integration: device discovery, and the components that the uplink announces.

As Home Assistant 2026.2.3 was seen to: it keeps no session, so that only what is retained survives its restart; a device
needs `dev` with `ids` and `o` with `name`; a component without a unique id, or of a kind with a topic missing, is refused;
one left out of a later message goes, and an empty message takes the device; an event that is retained is left out, and one
needs an `event_type` of the list; a tracker is placed by the attributes latitude, longitude and gps_accuracy; templates
are Jinja's.
"""
import datetime, json

import jinja2
from jinja2.sandbox import SandboxedEnvironment

from uplinking.broker import client

# The abbreviations that the uplink uses, as Home Assistant's documentation of MQTT discovery lists them.
LONG = {
    "dev": "device", "ids": "identifiers", "o": "origin", "cmps": "components", "p": "platform", "uniq_id": "unique_id",
    "json_attr_t": "json_attributes_topic", "json_attr_tpl": "json_attributes_template", "dev_cla": "device_class",
    "stat_t": "state_topic", "val_tpl": "value_template", "unit_of_meas": "unit_of_measurement", "avty_t": "availability_topic",
    "pl_on": "payload_on", "pl_off": "payload_off", "cmd_t": "command_topic", "ent_cat": "entity_category",
    "stat_cla": "state_class", "sw": "sw_version", "mf": "manufacturer", "mdl": "model", "ic": "icon",
}
NEEDS = {
    "device_tracker": ("json_attributes_topic", "state_topic"), "sensor": ("state_topic",), "binary_sensor": ("state_topic",),
    "event": ("state_topic",), "button": ("command_topic",),
}
JINJA = SandboxedEnvironment()


def long(value):
    """A message with each abbreviated member under its long name."""
    if isinstance(value, dict):
        return {LONG.get(name, name): long(member) for name, member in value.items()}
    return value


class Home:
    def __init__(self, port):
        self.components, self.states, self.seen, self.events, self.refused = {}, {}, [], [], []
        self.client = client("home-assistant")
        self.client.on_connect = self.connected
        self.client.on_message = lambda _client, _data, message: self.take(message.topic, message.payload, message.retain)
        if port:
            self.client.connect("127.0.0.1", port)
            self.client.loop_start()

    def connected(self, *_):
        self.client.subscribe("homeassistant/device/+/config", 1)
        self.client.publish("homeassistant/status", "online")

    def take(self, topic, payload, is_retained=False):
        if topic.startswith("homeassistant/device/"):
            return self.discover(topic, payload)
        for name, component in list(self.components.items()):
            try:
                if topic in (component.get("state_topic"), component.get("json_attributes_topic")):
                    self.show(name, component, payload.decode(), is_retained)
                elif topic == component.get("availability_topic"):
                    self.states[f"{name} availability"] = payload.decode()
            except (ValueError, KeyError, TypeError, jinja2.TemplateError) as why:
                self.refused.append((name, str(why), payload))

    def discover(self, topic, payload):
        device = topic.split("/")[2]
        self.components = {name: one for name, one in self.components.items() if one["device"] != device}
        if not payload:
            return
        try:
            told = long(json.loads(payload))
            if not told["device"]["identifiers"] or not told["origin"]["name"]:
                raise KeyError("dev.ids and o.name")
            for key, component in told["components"].items():
                unique, needed = component["unique_id"], NEEDS[component["platform"]]
                if not any(component.get(name) for name in needed):
                    raise KeyError(f"{key} wants {' or '.join(needed)}")
                if component["platform"] == "event" and not component["event_types"]:
                    raise KeyError("event_types")
                self.components[unique] = component | {"device": device}
                for name in ("state_topic", "json_attributes_topic", "availability_topic"):
                    if name in component:
                        self.client.subscribe(component[name], told.get("qos", 0))
        except (ValueError, KeyError, TypeError) as why:
            self.refused.append((topic, repr(why), payload))

    def show(self, name, component, text, is_retained):
        kind = component["platform"]
        template = component.get("json_attributes_template" if kind == "device_tracker" else "value_template")
        value_json = json.loads(text) if text.startswith("{") else None
        value = JINJA.from_string(template).render(value=text, value_json=value_json) if template else text
        if kind == "device_tracker":
            attributes = json.loads(value)
            place = tuple(float(attributes[part]) for part in ("latitude", "longitude", "gps_accuracy"))
            self.states[name] = place
            self.seen.append((name, place, value_json))
        elif kind == "event":
            if not is_retained:
                if value_json["event_type"] not in component["event_types"]:
                    raise ValueError(f"{value_json['event_type']} is not among event_types")
                self.events.append((name, value_json))
        elif kind == "binary_sensor":
            self.states[name] = {component.get("payload_on", "ON"): True, component.get("payload_off", "OFF"): False}[value]
        elif component.get("device_class") == "timestamp":
            when = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
            if when.tzinfo is None:
                raise ValueError("a timestamp without a zone")
            self.states[name] = when
        else:
            self.states[name] = value

    def press(self, name):
        self.client.publish(self.components[name]["command_topic"], self.components[name]["payload_press"], 1)

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()
