"""Two hours of a receiver that is on for 30 s in 600, told to Debian's chronyd beside a clock that drifts by 20 ppm (TIME-06).

The hours pass hurried: chronyd's clocks run HURRY times as fast, by a preloaded library, so this wants a quiet machine. Where
chronyd is held up for a quarter of a second it sees 10 s pass that it did not wait for, takes them for a step of its clock,
forgets its samples and errs by 40 ms and more at the next reception (held up on purpose, once: 38 to 42 ms); on a board it
would have to be held up for 10 s. Its samples are those that the daemon sends, 40 bytes each, with the noise of pulses and then that
of messages whose mean delay is known.
"""
import os, random, socket, struct, subprocess, sys, tempfile, time

from proving.support.patience import until

HURRY, HOURS, EVERY, SECONDS, DRIFT = 40, 2, 600, 30, 20e-6
# Each source as the package's file for chrony has it, with the error of a sample, seconds.
SOURCES = {
    "pulses with 2 us of deviation": ("poll 2 filter 4 precision 1e-6 prefer", lambda chance: chance.gauss(0, 2e-6)),
    "messages 60 to 140 ms late": ("poll 3 filter 8 precision 1e-3 delay 0.2 minsamples 16", lambda chance: chance.uniform(-0.04, 0.04)),
}
CHRONYD = f"{sys.argv[1]}/sbin/chronyd"
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hurry.c")


def errors(folder, line, noise, seed):
    """chrony's error at the first sample of each burst, which is just before it learns again, in seconds, and the clock's own."""
    chance, base, sock, noises = random.Random(seed), int(time.time()), f"{folder}/sock", []
    with open(f"{folder}/chrony.conf", "w") as file:
        file.write(f"refclock SOCK {sock} refid GNSS {line}\nbindcmdaddress {folder}/command\ncmdport 0\nport 0\n"
                   f"pidfile {folder}/pid\nlogdir {folder}\nlog refclocks\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{folder}/hurry.so", LIBRARY], check=True)
    with open(f"{folder}/said", "wb") as said:
        chronyd = subprocess.Popen(
            [CHRONYD, "-x", "-d", "-u", "root", "-f", f"{folder}/chrony.conf"], stderr=said,
            env=os.environ | {"LD_PRELOAD": f"{folder}/hurry.so", "HURRY": str(HURRY), "HURRY_BASE": str(base)})
    try:
        if not until(lambda: os.path.exists(sock)):
            raise AssertionError("chronyd makes no socket")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            began = base + (time.time() - base) * HURRY
            for burst in range(HOURS * 3600 // EVERY + 1):
                for second in range(SECONDS):
                    due = began + burst * EVERY + second + 1
                    time.sleep(max(0, base + (due - base) / HURRY - time.time()))
                    now = base + (time.time() - base) * HURRY
                    # The structure of chrony's refclock_sock.c; the offset is the true time less the clock's.
                    noises.append(noise(chance))
                    offset = DRIFT * (now - base) + noises[-1]
                    to.sendto(struct.pack("=qqd4i", int(now), int(now % 1 * 1e6), offset, 0, 0, 0, 0x534F434B), sock)
        time.sleep(1)
    finally:
        chronyd.terminate()
        chronyd.wait()
    with open(f"{folder}/said") as file:
        if jumps := file.read().count("time jump detected"):
            sys.exit(f"bursts: this machine held chronyd up {jumps} times for a quarter of a second, 10 s of its hurried clock: no "
                     "measure of chrony; run it on a quiet machine")
    with open(f"{folder}/refclocks.log") as file:
        rows = [words for words in map(str.split, file) if len(words) > 7 and words[2] == "GNSS" and words[6] != "-"]
    if len(rows) != len(noises):
        raise AssertionError(f"chronyd took {len(rows)} of {len(noises)} samples")
    return [(float(row[7]) - noise, float(row[6])) for row, noise in zip(rows[::SECONDS], noises[::SECONDS])]


def main():
    # chronyd wants a folder that is nobody else's.
    for name, (line, noise) in SOURCES.items():
        with tempfile.TemporaryDirectory(prefix="sxtime-") as folder:
            os.chmod(folder, 0o750)
            found = errors(folder, line, noise, 1)
        told = ", ".join(f"{chrony * 1e3:.3f}" for chrony, _ in found)
        print(f"figure: TIME-06 | {name}: chrony's error before each of {len(found)} receptions in {HOURS} h, ms | {told}")
        print(f"figure: TIME-06 | the clock's own drift by then, ms | {found[-1][1] * 1e3:.1f}")
        if name.startswith("pulses") and abs(found[-1][0]) > 1e-3:
            raise AssertionError(f"after {HOURS} h chrony errs by {found[-1][0] * 1e3:.3f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
