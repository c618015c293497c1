#!/usr/bin/env python3
"""Holds lines, meters and pulses against a real kernel: what scripts/check-gpio runs in its guest, with an emulated
CP2112 whose wires are files of FOLDER, a stub of a chip at 0x40 on BUS, and a PPS device that no pulse comes to.

usage: check_kernel.py FOLDER BUS
"""
import os, sys, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tuning import lines, meter, pulses
from tuning.command import DeviceError, Unavailable

folder, bus = sys.argv[1:]
failures = 0


def check(what, found, wanted):
    global failures
    failures += found != wanted
    print(f"passed: {what}" if found == wanted else f"FAILED: {what}: {found!r}, not {wanted!r}")


def refused(kind, make):
    try:
        make()
    except kind as error:
        return str(error)
    return None


def wires(name):
    with open(f"{folder}/{name}", encoding="ascii") as file:
        return int(file.read())


def drive(level):
    with open(f"{folder}/in.new", "w", encoding="ascii") as file:
        file.write(f"{level}\n")
    os.rename(f"{folder}/in.new", f"{folder}/in")


output = lines.KernelLine("cp2112_gpio:2", lines.OUTPUT, 1)
check("an output begins with its level", (wires("out"), wires("directions")), (4, 4))
output.set(0)
check("an output is set", wires("out"), 0)
inverted = lines.KernelLine("cp2112_gpio:3", lines.OUTPUT | lines.ACTIVE_LOW, 0)
check("a line that is active low is high where it is inactive", wires("out"), 8)
check("a line that is held is refused", "busy" in refused(
    Unavailable, lambda: lines.KernelLine("cp2112_gpio:2", lines.OUTPUT, 1)), True)
check("a line that is not there is refused", "no GPIO chip has this line" in refused(
    Unavailable, lambda: lines.found("GPIO77")), True)



def rise(edges):
    """Drives a rising edge until the driver, which looks at the levels again and again, has seen it."""
    edge, end = None, time.monotonic() + float(os.environ.get("SEXTANT_PATIENCE", 300)) / 2
    while edge is None and time.monotonic() < end:
        drive(0)
        time.sleep(0.5)
        begin = time.time()
        drive(1 << 5)
        edge = edges.next(3)
    # The edge's clock is the calendar's, in steps of a tick.
    return edge is not None and begin - 0.1 < edge[0] + edge[1] / 1e9 < time.time() + 0.1


edges = pulses.LinePulses("cp2112_gpio:5", False, "asIs")
for count in range(3):
    check("an edge is timed", rise(edges), True)
drive(0)
check("a falling edge is none", edges.next(0.5), None)

chip = meter.KernelBus(bus, 0x40)
chip.write(0x00, 0x399F)
chip.write(0x01, 0xFF9C)
chip.write(0x02, 825 << 3 | 2)
found = meter.Meter(bus, 0x40, "auto", 0.1)
check("an INA219 is known by its configuration", found.model, "ina219")
check("its setting is written", chip.read(0x00), 0x0667)
sample = found.sample(0)
check("it tells volts and milliamperes, below 0 too", (round(sample.volts, 6), round(sample.milliamps, 6)), (3.3, -10))
chip.write(0xFE, 0x5449)
chip.write(0xFF, 0x2260)
check("an INA226 is known by its identity", meter.Meter(bus, 0x40, "auto", 0.1).model, "ina226")
check("a meter that does not answer is said so", "see the meter's wiring" in refused(
    DeviceError, lambda: meter.Meter(bus, 0x41, "auto", 0.1)), True)

silent, begin = pulses.KernelPulses("/dev/pps0"), time.monotonic()
check("no pulse is none, after the time given", (silent.next(1.2), time.monotonic() - begin > 1), (None, True))
sys.exit(1 if failures else 0)
