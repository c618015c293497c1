"""A stand-in for OwnTracks Recorder: it takes, drops and files what Recorder 1.0.1 was seen to take, drop and file.

Recorder subscribes to owntracks/# with QoS 2 and keeps its session; leaves retained messages out; lowers the case of user
and device; appends what comes in the order in which it comes, a repeated message too, to a file by month of its `tst`;
moves `last` forward only; and drops a location without lat, lon or tst, and a transition without coordinates.
"""
import json, os, time

from uplinking.broker import client


class Recorder:
    def __init__(self, folder, port):
        self.folder, self.last, self.dropped, self.others = folder, {}, [], []
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
        if kind not in ("location", "transition"):
            self.others.append((topic, told))
        elif not all(isinstance(told.get(name), (int, float)) for name in ("lat", "lon", "tst")):
            self.dropped.append((topic, payload))
        else:
            self.file(levels[1:3], told)

    def file(self, who, told):
        when = time.gmtime(told["tst"])
        folder = os.path.join(self.folder, *who)
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{time.strftime('%Y-%m', when)}.rec", "a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', when)}\t*                 \t{json.dumps(told)}\n")
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
