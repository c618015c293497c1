"""Half an hour of the real daemon's life in real time, again and again, until it was six hours."""
import time

from .support.admission import Admitted
from .support.bench import Outcome
from .support.daemon import Daemon
from .support.installation import Installation, clients
from .support.patience import until
from .support.receiver import Place, Terminal, solution
from .support.wire import Wire

ABOUT = ("The daemon lives in real time with a receiver at 5 Hz and clients that come, ask and go; what is registered "
         "stays, fixes come on, and memory and descriptors do not grow.")
FINDING = "Fixes that stay away; a registration that is lost; memory or descriptors that grow after the first minute."
# Real time is not for the short form.
SHORT = 0
GOAL = 360
RANK = 80
WAITS = 12

MINUTES, HERTZ, GROWTH = 30, 5, 2**20


def trial(bench, seed):
    """Each attack is a minute."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    installation = Installation(bench, clients(3))
    receiver = Terminal(bench.path("gnss"))
    daemon = Daemon(installation, receiver.path).start()
    place = Place()
    receiver.say(lambda instant: solution(place, instant), HERTZ)
    staying, coming = (Admitted(client, outcome) for client in installation.clients[:2])
    staying.connect(installation.socket)
    coming.connect(installation.socket)
    resident = descriptors = None
    try:
        with Wire(installation.socket, installation.clients[2].user) as watcher:
            watcher.send("watch")
            for minute in range(MINUTES):
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    watcher.wait("epoch")
                    choice = random.randrange(200)
                    if choice == 0:
                        coming.connect(installation.socket)
                        coming.compare("after it came again")
                    elif choice == 1:
                        coming.monitor(f"r{random.randrange(8)}", Place(random.randrange(50_000, 90_000)))
                    elif choice == 2:
                        staying.ask(random.choice(["status", "energy", "registrations", "locate"]))
                    elif choice == 3:
                        place.latitude += random.uniform(-1e-4, 1e-4)
                outcome.attacks += 1
                if minute == 0:
                    resident, descriptors = daemon.resident, daemon.descriptors
        staying.compare("after half an hour")
        coming.compare("after half an hour")
        outcome.note_most("most KiB that memory grew by", max(0, daemon.resident - resident) / 1024)
        if daemon.resident > resident + GROWTH:
            outcome.find(f"half an hour made the daemon grow by {(daemon.resident - resident) / 2**20:.1f} MiB")
        if not until(lambda: daemon.descriptors <= descriptors):
            outcome.find(f"half an hour left {daemon.descriptors - descriptors} more descriptors open")
        daemon.stop()
    finally:
        receiver.close()
    return outcome
