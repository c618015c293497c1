"""What sextant-collect and the stand-ins of tests promise: `/usr/bin/python3 -m unittest uplinking.tests`, with scripts in
PYTHONPATH; it wants Debian's mosquitto and paho-mqtt."""
import contextlib, io, json, shutil, signal, socket, subprocess, tempfile, unittest, zlib

from proving.support.patience import PATIENCE, until

from . import collector
from .broker import Mosquitto, client
from .home import Home
from .recorder import Recorder, oddities

COLLECT = collector.module()
SERIES = "9f3c01ab"


def track(*numbers, series=SERIES, **head):
    lines = [{"series": series, "first": numbers[0], "last": numbers[-1], **head}]
    lines += [{"n": n, "time": f"2026-05-01T12:00:{n % 60:02}.000Z", "latitude": 47 + n / 1e5, "longitude": 8.5,
               "horizontalAccuracy": 4.0} for n in numbers]
    return zlib.compress("\n".join(map(json.dumps, lines)).encode())


def event(n, **more):
    return json.dumps({"series": SERIES, "n": n, "event_type": "enter", "region": "harbour", **more}).encode()


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sxuplink-")
        self.addCleanup(shutil.rmtree, self.folder, True)


class Records(InFolder):
    def setUp(self):
        super().setUp()
        self.database = COLLECT.Database(f"{self.folder}/fleet.sqlite")
        self.addCleanup(lambda: self.database.rows.close())

    def store(self, *messages):
        """Each message is a topic's last two parts, and a payload; returns what is acknowledged, and what is said."""
        with contextlib.redirect_stderr(io.StringIO()) as said:
            answers = self.database.store([(f"sextant/1/{topic}", payload) for topic, payload in messages])
        return {device: answer["upTo"] for device, _, answer in answers}, said.getvalue()

    def numbers(self):
        return [n for n, in self.database.rows.execute("SELECT n FROM records ORDER BY n")]

    def test_a_record_is_stored_once_however_often_it_comes(self):
        for _ in range(3):
            self.assertEqual(self.store(("boat/track", track(1, 2, 3)))[0], {"boat": 3})
        self.assertEqual(self.numbers(), [1, 2, 3])
        self.assertEqual(self.database.counts, {"stored": 3, "repeated": 6, "changed": 0, "refused": 0})

    def test_only_what_is_complete_is_acknowledged_in_whatever_order_it_comes(self):
        self.assertEqual(self.store(("boat/track", track(5, 6)))[0], {})
        self.assertEqual(self.store(("boat/event", event(3)))[0], {})
        self.assertEqual(self.store(("boat/track", track(1, 2)))[0], {"boat": 3})
        self.assertEqual(self.store(("boat/event", event(4)))[0], {"boat": 6})

    def test_a_device_that_asks_is_told_what_is_stored_beyond_a_gap(self):
        self.store(("boat/track", track(1, 2)), ("boat/track", track(4, 5)), ("boat/event", event(7)))
        ask = zlib.compress(json.dumps({"series": SERIES, "first": 3, "last": 2, "after": 2, "oldest": 3}).encode())
        self.assertEqual(self.database.store([("sextant/1/boat/track", ask)]),
                         [("boat", SERIES, {"series": SERIES, "upTo": 2, "have": [(4, 5), (7, 7)]})])
        self.assertEqual(self.database.store([("sextant/1/car/track", ask)]), [("car", SERIES, {"series": SERIES, "upTo": 2})])

    def test_numbers_that_were_thinned_away_are_not_waited_for(self):
        self.assertEqual(self.store(("boat/track", track(1, 3, 5)))[0], {"boat": 5})
        self.assertEqual(self.store(("boat/event", event(9, after=5)))[0], {"boat": 9})

    def test_a_receiver_that_starts_empty_waits_for_nothing_that_the_device_has_forgotten(self):
        self.assertEqual(self.store(("boat/track", track(1001, 1002)))[0], {})
        self.assertEqual(self.store(("boat/track", track(1003, 1004, oldest=1001)))[0], {"boat": 1004})

    def test_a_queue_that_was_made_anew_counts_by_itself(self):
        self.store(("boat/track", track(1, 2)))
        self.assertEqual(self.store(("boat/track", track(1, series="00000001")))[0], {"boat": 1})
        self.assertEqual(self.numbers(), [1, 1, 2])

    def test_a_number_that_comes_again_with_another_content_is_named_and_the_first_stays(self):
        self.store(("boat/event", event(1)))
        self.assertIn("another content", self.store(("boat/event", event(1, region="home")))[1])
        self.assertEqual(self.database.rows.execute("SELECT json FROM records").fetchall(),
                         [('{"event_type":"enter","n":1,"region":"harbour"}',)])

    def test_what_a_message_says_of_the_queue_makes_a_repeated_event_no_other(self):
        self.store(("boat/event", event(2, after=1, oldest=1)))
        self.assertEqual(self.store(("boat/event", event(2, after=1, oldest=2)))[1], "")
        self.assertEqual(self.database.counts["repeated"], 1)

    def test_a_record_that_had_no_time_gets_it_when_it_comes_again_with_one(self):
        for more in ({}, {"time": "2026-05-01T12:00:00.000Z"}, {}):
            self.store(("boat/event", event(1, **more)))
        self.assertEqual(self.database.rows.execute("SELECT time FROM records").fetchall(), [("2026-05-01T12:00:00.000Z",)])

    def test_what_cannot_be_read_is_named_and_nothing_else_suffers(self):
        bomb = zlib.compress(b" " * 50_000_000)
        bad = [("boat/track", b"no zlib"), ("boat/track", bomb), ("boat/track", track(1, 2)[:-3]), ("boat/event", b"[1]"),
               ("boat/event", b"\xff"), ("boat/event", b"[" * 100_000), ("Boat/event", event(1)), ("boat/event", event("one")),
               ("boat/event", event(-1)), ("boat/event", event(1, series="../..")), ("boat/track", track(3, 2)),
               ("boat/event", b" " * 300_000), ("boat/track", zlib.compress(b""))]
        for message in bad:
            answers, said = self.store(message, ("car/event", event(1)))
            self.assertEqual((answers, said.count("\n")), ({"car": 1}, 1), message)
        self.assertEqual(self.numbers(), [1])

    def test_what_no_database_or_reader_of_json_takes_is_named_and_ends_nothing(self):
        for record in ('{"n":1,"latitude":1%s}' % ("0" * 30), '{"n":1,"latitude":1e999}', '{"n":1,"latitude":NaN}',
                       '{"n":1,"horizontalAccuracy":-Infinity}', '{"n":9223372036854775807}'):
            head = json.dumps({"series": SERIES, "first": 1, "last": 2**63 - 1 if "922337" in record else 1})
            acknowledged, said = self.store(("thief/track", zlib.compress(f"{head}\n{record}".encode())))
            self.assertEqual((acknowledged, said.count("is left out")), ({}, 1), record)
        self.assertEqual(self.store(("thief/event", event(2**63 - 1)))[0], {})
        self.assertEqual(self.store(("thief/event", event(1, series=12345678)))[0], {})
        self.assertEqual(self.store(("thief/event", event(1, time="\ud800")), ("boat/track", track(1)))[0], {"thief": 1, "boat": 1})
        self.assertEqual(self.database.rows.execute("SELECT device, time IS NULL FROM records").fetchall(), [("boat", 0), ("thief", 1)])

    def test_a_broker_that_sends_no_mqtt_is_left_and_tried_again(self):
        with socket.create_server(("127.0.0.1", 0)) as broker:
            broker.settimeout(PATIENCE)
            one = collector.Collect(f"{self.folder}/fleet.sqlite", broker.getsockname()[1])
            with open(one.log, "wb") as log:
                one.process = subprocess.Popen(one.command, stderr=log)
            self.addCleanup(one.kill)
            for _ in range(2):
                connection, _ = broker.accept()
                with connection:
                    connection.recv(4096)
                    # CONNACK, and a PUBLISH of one byte.
                    connection.sendall(b"\x20\x02\x00\x00\x32\x01\x00")
                    while connection.recv(4096):
                        pass

    def test_a_database_that_is_no_database_ends_the_program_with_74(self):
        with open(f"{self.folder}/words", "w") as file:
            file.write("no database\n" * 1000)
        ended = subprocess.run(collector.Collect(f"{self.folder}/words", 1).command, stderr=subprocess.PIPE, text=True)
        self.assertEqual((ended.returncode, "words" in ended.stderr), (74, True))


class AtABroker(InFolder):
    def setUp(self):
        super().setUp()
        self.broker = Mosquitto(f"{self.folder}/broker").start()
        self.addCleanup(self.broker.end)
        # As a device does, the highest counts: of several collectors, one may tell later what it has committed earlier.
        self.answers = {}
        self.device = client("boat")
        self.device.on_message = lambda _client, _data, message: self.answers.update({message.topic: max(
            json.loads(message.payload), self.answers.get(message.topic, {"upTo": 0}), key=lambda answer: answer["upTo"])})
        self.device.connect("127.0.0.1", self.broker.port)
        self.device.subscribe("sextant/1/+/ack", 1)
        self.device.loop_start()
        self.addCleanup(self.device.loop_stop)
        self.addCleanup(self.device.disconnect)

    def send(self, topic, payload):
        self.device.publish(f"sextant/1/{topic}", payload, 1)

    def test_a_record_is_on_the_disk_before_it_is_acknowledged(self):
        one = collector.Collect(f"{self.folder}/fleet.sqlite", self.broker.port).start()
        self.addCleanup(one.kill)
        self.send("boat/track", track(1, 2))
        self.assertTrue(until(lambda: self.answers.get("sextant/1/boat/ack") == {"series": SERIES, "upTo": 2}))
        one.kill()
        self.assertEqual(one.query("SELECT n FROM records"), [(1,), (2,)])

    def test_what_comes_while_no_collector_runs_is_stored_by_the_next(self):
        one = collector.Collect(f"{self.folder}/fleet.sqlite", self.broker.port).start()
        self.addCleanup(one.kill)
        one.kill()
        self.send("boat/track", track(1, 2))
        one.start()
        self.assertTrue(until(lambda: "sextant/1/boat/ack" in self.answers))
        self.assertEqual(one.end(signal.SIGTERM), 0)
        self.assertIn("2 stored", one.told())

    def test_a_broker_that_has_forgotten_everything_is_given_the_answers_again(self):
        one = collector.Collect(f"{self.folder}/fleet.sqlite", self.broker.port).start()
        self.addCleanup(one.kill)
        self.send("boat/track", track(1, 2))
        self.assertTrue(until(lambda: "sextant/1/boat/ack" in self.answers))
        self.broker.kill()
        self.broker.start()
        late, answers = client("late"), []
        late.on_message = lambda _client, _data, message: answers.append(json.loads(message.payload))
        late.connect("127.0.0.1", self.broker.port)
        late.subscribe("sextant/1/boat/ack", 1)
        late.loop_start()
        self.addCleanup(late.loop_stop)
        self.assertTrue(until(lambda: answers))
        self.assertEqual(answers[0], {"series": SERIES, "upTo": 2})

    def test_several_collectors_share_the_messages_and_one_database(self):
        several = [collector.Collect(f"{self.folder}/fleet.sqlite", self.broker.port, f"collect-{index}", "--group", "collect")
                   for index in range(3)]
        for one in several:
            self.addCleanup(one.kill)
            one.start()
        for n in range(1, 301):
            self.send("boat/event", event(n))
        self.assertTrue(until(lambda: self.answers.get("sextant/1/boat/ack", {}).get("upTo") == 300))
        self.assertEqual(several[0].query("SELECT count(*) FROM records"), [(300,)])
        for one in several:
            one.end()
            self.assertNotIn(": 0 stored", one.told())
            self.assertIn(" 0 repeated", one.told())


class StandIns(InFolder):
    def test_the_recorder_files_by_time_in_the_order_of_arrival_and_stores_a_repeated_message_twice(self):
        recorder = Recorder(self.folder, None)
        new, old = ({"_type": "location", "lat": 1, "lon": 2, "tst": tst} for tst in (1777636800, 1777636700))
        for told in (new, old, old):
            recorder.take("owntracks/Anna/Boat", json.dumps(told))
        self.assertEqual(recorder.records("anna", "boat"), [new, old, old])
        self.assertEqual(recorder.last["anna/boat"], new)

    def test_the_recorder_drops_what_lacks_coordinates_and_what_is_retained(self):
        recorder = Recorder(self.folder, None)
        recorder.take("owntracks/anna/boat/event", json.dumps({"_type": "transition", "event": "enter", "tst": 1}))
        recorder.take("owntracks/anna/boat", json.dumps({"_type": "location", "lat": 1, "lon": 2}))
        recorder.take("owntracks/anna/boat", json.dumps({"_type": "location", "lat": 1, "lon": 2, "tst": 3}), True)
        self.assertEqual((recorder.records("anna", "boat"), len(recorder.dropped)), ([], 2))

    def test_the_recorder_names_what_the_booklet_does_not_have(self):
        place = {"_type": "location", "lat": 1.0, "lon": 2.0, "tst": 3}
        self.assertEqual(oddities(place | {"acc": 4, "vel": 36, "cog": 0, "inregions": ["quay"], "created_at": 5}), [])
        for odd in ({"acc": 0}, {"acc": 1.5}, {"vel": "36"}, {"cog": 360}, {"batt": True}, {"speed": 3}, {"tst": 3.0}):
            self.assertEqual(len(oddities(place | odd)), 1, odd)
        self.assertEqual(oddities({"_type": "transition", "lat": 1.0, "lon": 2.0, "tst": 3, "acc": 1, "event": "exit"}),
                         ["no wtst", "event: 'exit'"])

    def home(self, **components):
        home = Home(None)
        home.take("homeassistant/device/boat/config", json.dumps(
            {"dev": {"ids": ["boat"]}, "o": {"name": "test"}, "cmps": components}).encode())
        return home

    def test_home_assistant_places_a_tracker_by_the_attributes_of_its_template(self):
        home = self.home(position={"p": "device_tracker", "uniq_id": "place", "json_attr_t": "t", "json_attr_tpl":
                                   "{{ {'latitude':value_json.a,'longitude':value_json.b,'gps_accuracy':value_json.c}|tojson }}"})
        home.take("t", b'{"a":47.5,"b":8.5,"c":4.2}')
        self.assertEqual((home.states, home.refused), ({"place": (47.5, 8.5, 4.2)}, []))
        home.take("t", b'{"a":47.5}')
        self.assertEqual(len(home.refused), 1)

    def test_home_assistant_leaves_out_retained_events_and_refuses_those_of_a_kind_that_was_not_announced(self):
        home = self.home(region={"p": "event", "uniq_id": "region", "stat_t": "e", "event_types": ["enter"]})
        home.take("e", b'{"event_type":"enter"}', True)
        home.take("e", b'{"event_type":"enter","n":2}')
        home.take("e", b'{"event_type":"leave"}')
        self.assertEqual(([told["n"] for _, told in home.events], len(home.refused)), ([2], 1))

    def test_home_assistant_forgets_a_component_that_is_left_out_and_a_device_with_an_empty_message(self):
        home = self.home(one={"p": "sensor", "uniq_id": "one", "stat_t": "s"}, two={"p": "sensor", "uniq_id": "two", "stat_t": "s"})
        home.take("homeassistant/device/boat/config", json.dumps(
            {"dev": {"ids": ["boat"]}, "o": {"name": "test"}, "cmps": {"two": {"p": "sensor", "uniq_id": "two", "stat_t": "s"}}}).encode())
        self.assertEqual(list(home.components), ["two"])
        home.take("homeassistant/device/boat/config", b"")
        self.assertEqual(home.components, {})
