"""Wall clocks that step, run backwards, or were never set."""
from .support.admission import Admitted
from .support.bench import Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.life import Life
from .support.receiver import Place, second, solution

ABOUT = ("The wall clock steps by seconds, years and to before 1970, or is unset, also over restarts; timeouts and "
         "stays take their time, each event comes once, and times told are the receiver's.")
FINDING = ("An interval that the wall clock made shorter or longer; an event told never or twice; a time that is not "
           "the receiver's.")
SHORT = 16
GOAL = 5000
RANK = 30

STEPS = 12
DAY = 86_400


def trial(bench, seed):
    bench.need_root()
    return (drives if seed % 2 else intervals)(bench, seed)


def step(random, now):
    """What the clock shows next: seconds since 1970, or nothing where nobody keeps it."""
    jump = random.choice([-1, 1]) * random.choice([1, 2, 60, 3600, DAY, 400 * DAY, 5000 * DAY])
    return random.choice([None, 0, -1, -9_000_000_000, 9_000_000_000, 1, 2**31, 2**32, int(now), int(now) + jump])


def drives(bench, seed):
    """Drives between two regions under a clock that steps, with sudden ends: each event once."""
    life = Life(bench, seed).begin()
    for _ in range(STEPS):
        fixes = life.next_drive()
        for part in (fixes[:10], fixes[10:20], fixes[20:]):
            shown = step(life.random, life.daemon.time)
            bench.say(f"the clock shows {shown}")
            life.daemon.obey(utc=shown)
            life.outcome.attacks += 1
            life.live(part)
        life.change()
        life.settle()
        if life.random.random() < 0.3:
            life.daemon.kill()
            life.daemon.start()
            life.meet()
    return life.end()


def intervals(bench, seed):
    """Timeouts, dwell and the times of fixes while the clock steps."""
    random, outcome = bench.random(seed), Outcome()
    daemon = VirtualDaemon(Installation(bench, clients(2))).start()
    user, watcher = (Admitted(client, outcome) for client in daemon.installation.clients)
    for each in (user, watcher):
        each.connect(daemon.installation.socket)
    watcher.ask("watch")
    daemon.feed(solution(Place(), daemon.time), 1)
    for index in range(STEPS):
        # A request that finds no fix ends at its time, whatever the clock shows meanwhile.
        timeout = random.choice([2, 5, 20])
        name = f"l{index}"
        user.ask("locate", timeout=timeout, id=name)
        ended = None
        for tick in range(timeout + 3):
            if random.random() < 0.5:
                daemon.obey(utc=step(random, daemon.time))
                outcome.attacks += 1
            daemon.feed(solution(Place(), daemon.time, kind=0), 1)
            for event in user.ask():
                if ended is None and event.get("id") == name:
                    ended = tick + 1
                    bench.say(f"{name}, {timeout} s: {event}")
            check_times(daemon, watcher, outcome)
        if ended is None or not timeout <= ended <= timeout + 1:
            outcome.find(f"a request for a position with a timeout of {timeout} s ended after "
                         f"{'more than ' + str(timeout + 3) if ended is None else ended} s under a clock that steps")
        dwell(daemon, user, watcher, random, outcome, index)
    daemon.stop()
    return outcome


def check_times(daemon, watcher, outcome):
    for event in watcher.ask():
        if event["event"] != "epoch" or "time" not in event:
            continue
        if event.get("timeValidated") and abs(second(event["time"]) - daemon.time) > 3:
            outcome.find(f"a fix of {daemon.time:.0f} was told with the time {event['time']} under a clock that steps")


def dwell(daemon, user, watcher, random, outcome, index):
    """A stay of a minute is told after a minute."""
    name, seconds = f"stay{index}", 60
    user.monitor(name, Place(0), radius=500, dwell=seconds)
    daemon_began, told = daemon.now, None
    while told is None and daemon.now < daemon_began + 200e9:
        if random.random() < 0.1:
            daemon.obey(utc=step(random, daemon.time))
            outcome.attacks += 1
        daemon.feed(solution(Place(), daemon.time), 2)
        check_times(daemon, watcher, outcome)
        for event in user.ask():
            if event["event"] == "regionEvent" and event["identifier"] == name and event["transition"] == "dwell":
                told = (daemon.now - daemon_began) / 1e9
    if told is None:
        outcome.find(f"a stay of {seconds} s was not told within 200 s under a clock that steps")
    elif not seconds - 3 <= told <= seconds + 45:
        outcome.find(f"a stay of {seconds} s was told after {told:.0f} s under a clock that steps")
    user.acknowledge()
    user.forget(name)
