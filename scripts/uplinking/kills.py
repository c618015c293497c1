"""Uplink, broker and receiver, killed at random while ten fixes and two crossings a second are reported."""
import json, random, signal

from uplinking.board import SMALL, Witness
from uplinking.broker import client
from uplinking.check import Bench, awaited, complete, geojson, judge, more, stored


class Wire:
    """Counts what goes over the broker, as another subscriber sees it while the broker is there."""

    def __init__(self, port, count):
        self.seen, self.repeated, self.count = set(), 0, count
        self.client = client("wire")
        self.client.on_connect = lambda *_: self.client.subscribe([("sextant/1/+/track", 0), ("sextant/1/+/event", 0)])
        self.client.on_message = self.arrived
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def arrived(self, _client, _data, message):
        _, series, found, _ = self.count(message.topic, message.payload)
        for _, record in found:
            self.repeated += (series, record["n"]) in self.seen
            self.seen.add((series, record["n"]))


def trial(programs, records_of, kills, seed=1, delivery="receiver", how=signal.SIGKILL, apart=10):
    """kills: how often each of uplink, broker (`how`) and receiver is ended; apart: records stored from one to the next, on
    average. Returns what came of it."""
    chance = random.Random(seed)
    with Bench(programs, rate=10) as bench:
        collect, witness = bench.collect(), Witness(bench.board.socket, SMALL)
        uplink = bench.uplink("boat", delivery=delivery, commands=["regions"])
        wire = Wire(bench.broker.port, records_of)
        bench.callback(wire.client.loop_stop)
        # The command is given again until it is done: nobody keeps it for an uplink that is not there yet.
        done = []
        wire.client.message_callback_add("sextant/1/boat/done", lambda _client, _data, message: done.append(message.payload))
        wire.client.subscribe("sextant/1/boat/done", 1)
        more(collect, uplink, 1)
        wire.client.publish("sextant/1/boat/do", geojson(*SMALL), 1)
        awaited(lambda: done, "the regions to be set", uplink.log)
        victims = [one for one, count in zip((uplink, bench.broker, collect), kills) for _ in range(count)]
        chance.shuffle(victims)
        for victim in victims:
            more(collect, uplink, chance.randrange(1, 2 * apart))
            victim.end(how if victim is bench.broker else signal.SIGKILL)
            victim.start()
            awaited(uplink.connect, "a connection", uplink.log)
        last = complete(collect, uplink)[-1][0]
        awaited(lambda: all(crossing in crossings(stored(collect)) for crossing in list(witness.crossings)[:-4]),
                "every crossing that the daemon told its other client", uplink.log)
        rows = complete(collect, uplink)
        judge(rows, witness, collect)
        found = [crossing for crossing in crossings(rows)]
        return {"records": len(rows), "events": len(found), "doubled": len(found) - len(set(found)), "last": last,
                "repeated": wire.repeated / max(1, len(wire.seen))}


def crossings(rows):
    told = [json.loads(text) for _, kind, _, text in rows if kind == "event"]
    return [(event["region"], event["event_type"], event["time"]) for event in told if "region" in event]
