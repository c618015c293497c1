"""A stand-in for OwnTracks Recorder: it takes, drops and files what Recorder 1.0.1 was seen to take, drop and file.

Recorder subscribes to owntracks/# with QoS 2 and keeps its session; leaves retained messages out; lowers the case of user
and device; appends what comes in the order in which it comes, a repeated message too, to a file by month of its `tst`, with
the topic's levels after the third, `*` for none, without which its map shows no place; moves `last` forward only (since pull
request 472 of June 2024; before that, to whatever came last); and drops a location, a transition or a waypoint without
coordinates. It takes texts for numbers, and its own time for a missing `tst`: the stand-in drops both, since OwnTracks'
booklet has neither. Source: owntracks/recorder, recorder.c, handle_message.
"""
import json, os, time

from uplinking.broker import client

# The members of OwnTracks' messages as its booklet has them (docs/tech/json.md), the required ones, and their types; `_id`
# and `inrids` are extra, and so is `m`, as the apps send it.
PLACE, WHO = {"lat": float, "lon": float, "tst": int, "acc": int}, {"_type": str, "_id": str, "tid": str, "t": str}
MEMBERS = {
    "location": ({"lat", "lon", "tst"}, PLACE | WHO | dict.fromkeys(
        ("alt", "vac", "vel", "cog", "batt", "bs", "created_at", "m"), int) | {"inregions": list, "inrids": list}),
    "transition": ({"lat", "lon", "tst", "wtst", "acc", "event"}, PLACE | WHO | {"wtst": int, "event": str, "desc": str, "rid": str}),
    "waypoint": ({"desc", "tst"}, {"_type": str, "desc": str, "rid": str, "lat": float, "lon": float, "rad": int, "tst": int}),
    "waypoints": ({"waypoints"}, {"_type": str, "waypoints": list}), "lwt": ({"tst"}, {"_type": str, "tst": int}),
    "card": (set(), {"_type": str, "name": str, "tid": str}),
}
RANGES = {"acc": (1, 1e7), "vac": (1, 1e7), "vel": (0, 1000), "cog": (0, 359), "batt": (0, 100), "bs": (0, 3), "m": (1, 2),
          "lat": (-90, 90), "lon": (-180, 180)}


def oddities(told):
    """What the booklet does not have in a message."""
    required, types = MEMBERS[told["_type"]]
    odd = [f"no {name}" for name in sorted(required - told.keys())]
    for name, value in told.items():
        if type(value) is not types.get(name) or name in RANGES and not RANGES[name][0] <= value <= RANGES[name][1]:
            odd.append(f"{name}: {value!r}")
    if told["_type"] == "transition" and told.get("event") not in ("enter", "leave"):
        odd.append(f"event: {told.get('event')!r}")
    return odd


class Recorder:
    def __init__(self, folder, port):
        self.folder, self.last, self.dropped, self.others, self.odd = folder, {}, [], [], []
        self.client = client("ot-recorder", clean=False)
        self.client.on_connect = lambda *_: self.client.subscribe("owntracks/#", 2)
        self.client.on_message = lambda _client, _data, message: self.take(message.topic, message.payload, message.retain)
        if port:
            self.client.connect("127.0.0.1", port)
            self.client.loop_start()

    def take(self, topic, payload, is_retained=False):
        levels = topic.lower().split("/")
        if is_retained or len(levels) < 3:
            return
        try:
            told = json.loads(payload)
            kind = told["_type"]
        except (ValueError, KeyError, TypeError):
            self.dropped.append((topic, payload))
            return
        # What is said to a device is not its own.
        if kind != "cmd":
            self.odd += [(topic, odd, told) for odd in (oddities(told) if kind in MEMBERS else ["_type"])]
        if kind not in ("location", "transition", "waypoint"):
            self.others.append((topic, told))
        elif not all(isinstance(told.get(name), (int, float)) for name in ("lat", "lon", "tst")):
            self.dropped.append((topic, payload))
        else:
            self.file(levels[1:3], "/".join(levels[3:]) or "*", told)

    def file(self, who, rest, told):
        when = time.gmtime(told["tst"])
        folder = os.path.join(self.folder, *who)
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{time.strftime('%Y-%m', when)}.rec", "a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', when)}\t{rest:18}\t{json.dumps(told)}\n")
        key = "/".join(who)
        if told["_type"] == "location" and told["tst"] >= self.last.get(key, {"tst": 0})["tst"]:
            self.last[key] = told

    def records(self, user, device):
        """All that is filed of a device, in the order in which it came."""
        folder, found = os.path.join(self.folder, user, device), []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                found += [json.loads(line.split("\t", 2)[2]) for line in file if line.endswith("\n")]
        return found

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()
