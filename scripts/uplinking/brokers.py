"""What a broker's acknowledgement is worth: messages that it acknowledged and that a subscriber with a session never got."""
import random, signal, threading, time

from proving.support.patience import PATIENCE, until
from uplinking.broker import client


SILENCE, RATE = 45, 200


class Link:
    """A client that is connected again and again, to whichever of several ports answers."""

    def __init__(self, name, ports):
        self.client, self.ports, self.runs, self.is_connected = client(name, clean=False), list(ports), True, False
        self.client.on_connect = self.connected
        self.client.on_disconnect = lambda *_: setattr(self, "is_connected", False)
        self.thread = threading.Thread(target=self.run, daemon=True)

    def connected(self, _client, _data, _flags, code):
        self.is_connected = code == 0

    def run(self):
        while self.runs:
            self.ports.append(self.ports.pop(0))
            try:
                self.client.connect("127.0.0.1", self.ports[0], keepalive=5)
                began = time.monotonic()
                while self.runs and self.client.loop(0.05) == 0:
                    if not self.is_connected and time.monotonic() > began + 3:
                        break
                    if self.is_connected:
                        self.connected_turn()
            except OSError:
                pass
            self.is_connected = False
            time.sleep(0.1)

    def connected_turn(self):
        pass

    def stop(self):
        self.runs = False
        self.thread.join()


class Subscriber(Link):
    def __init__(self, ports):
        super().__init__("subscriber", ports)
        self.got, self.repeated = set(), 0
        self.client.on_message = self.arrived
        self.thread.start()

    def connected(self, *said):
        super().connected(*said)
        self.client.subscribe("proof/#", 1)

    def arrived(self, _client, _data, message):
        number = int(message.payload[:10])
        self.repeated += number in self.got
        self.got.add(number)


class Publisher(Link):
    """Numbered messages of 200 bytes, each sent once and never again by the client but where MQTT has it sent again."""

    def __init__(self, ports):
        super().__init__("publisher", ports)
        self.waiting, self.acknowledged, self.number = {}, set(), 0
        self.began = time.monotonic()
        self.client.max_inflight_messages_set(20)
        self.client.on_publish = lambda _client, _data, mid, *_: self.acknowledged.add(self.waiting.pop(mid, None))
        self.thread.start()

    def connected_turn(self):
        while len(self.waiting) < 10 and self.number < (time.monotonic() - self.began) * RATE:
            self.number += 1
            self.waiting[self.client.publish("proof/one", f"{self.number:010}".ljust(200), 1).mid] = self.number


def trial(brokers, kills, how=signal.SIGKILL, seed=1, subscriber_away=False):
    """Ends a random one of the brokers so many times, each after some hundred acknowledgements; returns what came of it."""
    chance, ports = random.Random(seed), [one.port for one in brokers]
    subscriber = Subscriber(ports)
    if not until(lambda: subscriber.is_connected):
        raise AssertionError("no subscriber is taken")
    if subscriber_away:
        subscriber.stop()
    publisher = Publisher(ports)
    for _ in range(kills):
        goal = len(publisher.acknowledged) + chance.randrange(100, 400)
        if not until(lambda: len(publisher.acknowledged) >= goal):
            raise AssertionError(f"only {len(publisher.acknowledged)} messages were acknowledged in {PATIENCE:.0f} s")
        victim = chance.choice(brokers)
        victim.end(how)
        victim.start()
    publisher.stop()
    acknowledged = set(publisher.acknowledged) - {None}
    # What is lost never comes, and nothing tells that: silence tells it, longer than NATS waits (30 s) before it sends again,
    # and once more after a new connection.
    got, repeated = set() if subscriber_away else subscriber.got, subscriber.repeated
    for attempt in range(2):
        if attempt or subscriber_away:
            subscriber.stop()
            subscriber = Subscriber(ports)
        seen, since = -1, time.monotonic()
        while time.monotonic() < since + SILENCE and not acknowledged <= got | subscriber.got:
            if len(subscriber.got) != seen:
                seen, since = len(subscriber.got), time.monotonic()
            time.sleep(0.2)
        got |= subscriber.got
        if acknowledged <= got:
            break
    subscriber.stop()
    return {"acknowledged": len(acknowledged), "lost": len(acknowledged - got), "repeated": repeated}
