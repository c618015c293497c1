"""The gates, in the order in which they start where several could.

A line of shell finds the release's programs in $PROGRAMS. What a gate can be broken by, as targets of the package
(`reaches`) and as paths, is what `scripts/test --changed` chooses by.
"""
from .gate import Gate, TestGate

# What the end-to-end tests run.
DAEMON = ("sextantd", "sextant", "sextant-geocoder", "sextant-host", "location-probe", "in-process-example", "EndToEndTests")
DRIVEN = ("sextantd-bench", "sextant", "location-probe", "EndToEndTests")
PACKAGED = ("sextantd", "sextant", "sextant-page", "sextant-geocoder", "sextant-host", "sextant-uplink")

PACKAGE = 'rm -rf .build/package; scripts/package --binaries "$PROGRAMS" --output .build/package --check'
# The table of all towns in its package, and the tests that want it. Its data may be out of reach, which is said.
TOWNS = """
    rm -rf .build/towns
    scripts/package --binaries "$PROGRAMS" --output .build/towns --check --with-places || { [ $? = 75 ]
        echo "skipped: the table of all towns, whose data cannot be fetched"; exit 0; }
    dpkg-deb -x .build/towns/sextant-places_*.deb .build/towns
    SEXTANT_PLACES=$PWD/.build/towns/usr/share/sextant/places.sqlite "$SEXTANT_TESTS" \\
        --testing-library swift-testing --filter WholeTableTests 2>&1 | tee .build/towns/said
    ! grep -q skipped .build/towns/said"""
TABLE = ("scripts/build-places", "scripts/landmask.py", "scripts/check-package", "scripts/debian/sextant-places.copyright",
         "scripts/debian/sextant-places.files", "Sources/Core/Places", "Sources/Linux/PlaceTable",
         "Tests/PlaceTableTests/WholeTableTests.swift")
ATTACKS = """
    if [ "$(id -u)" = 0 ]; then scripts/prove --programs "$PROGRAMS" --short --jobs 3
    else echo "skipped: attacks: each client is a user of its own, which wants root"; fi"""
# The small Debian on a guest's disk is made by root, once.
GUEST = """scripts/hil --prepare || { status=$?; [ $status != 69 ] ||
    echo "skipped: the bench's Debian, which root makes once, by the command in .build/test/guest.log"; exit $status; }"""
# Three flights on the emulated microcontroller, and what is found of faults in a program for it.
FLIGHTS = """
    scripts/firmware --flights --programs "$PROGRAMS" || { status=$?; [ $status != 69 ] ||
        echo "skipped: flights on the chip: the toolchain's library or qemu-system-arm is missing"; exit $status; }
    PYTHONPATH=scripts python3 -m unittest testing.chip_tests"""
FIRMWARE_CHECK = """scripts/firmware --check || { status=$?; [ $status != 69 ] ||
    echo "skipped: Core as a microcontroller's program: the toolchain's library is missing"; exit $status; }"""
FIRMWARE = ("Package.swift", "scripts/firmware", "scripts/testing/chip_tests.py", "Sources/Core", "Sources/Drivers", "Sources/Firmware")
BENCH = 'scripts/hil --programs "$PROGRAMS" --package .build/package/sextant_*.deb'

TIME, UPLINK = 'scripts/check-time --programs "$PROGRAMS"', 'scripts/check-uplink --programs "$PROGRAMS"'

TUNING, TIMED, DRIVEN_CLOCK = (f"EndToEndTests\\.{word}" for word in ("Tune", "Timed", "(Acceptance|Virtual)"))


def gates():
    return [
        # It opens all files at once, and a user may have 1024 open.
        Gate("format", 'ulimit -Sn "$(ulimit -Hn)"; swift format lint --strict --recursive --parallel Package.swift Sources Tests',
             paths=["Package.swift", "Sources/", "Tests/"]),
        Gate("runner", "PYTHONPATH=scripts python3 -m unittest testing.tests",
             paths=["scripts/testing/", "scripts/proving/", "scripts/check-names", "Sources/"]),
        Gate("layers", "scripts/check-layers", paths=["scripts/check-layers", "Sources/"]),
        Gate("statements", "scripts/check-statements", paths=["scripts/check-statements", "scripts/hil.d/", "scripts/paging/", "scripts/timing/", "scripts/uplinking/", "Tests/"]),
        Gate("client", "scripts/check-client", paths=["scripts/check-client", "Package.swift"]),
        Gate("guest", GUEST, paths=["scripts/guests/"]),
        # That the models name functions of the code, and the code them, is of the runner's tests. Where no spin can be
        # installed, that is told.
        Gate("models", "scripts/prove --models --jobs 2", covers=["scripts/proving/models"]),
        # One build: the tests' part waits for the programs', which most other gates want. What waits for the most part runs
        # beside it, and fills the processors: what of those gates takes longest is named first.
        Gate("programs", "scripts/release"),
        Gate("tests", "scripts/release --tests", needs=["programs"]),
        Gate("package", PACKAGE, needs=["programs"], cores=0, reaches=PACKAGED,
             paths=["scripts/package", "scripts/check-package", "scripts/debian/", "boards/", "udev/"]),
        Gate("towns", TOWNS, needs=["tests"], covers=TABLE),
        Gate("bench", BENCH, needs=["programs", "package", "guest"], cores=0, again=BENCH + " --output .build/hil-again {}",
             reaches=["sextantd", "sextant-hil"], paths=["scripts/hil", "scripts/guests/"]),
        Gate("attacks", ATTACKS, needs=["programs"], cores=0.5, again='scripts/prove --programs "$PROGRAMS" --short --repeat {}',
             reaches=["sextantd"], paths=["scripts/prove", "scripts/proving/"]),
        Gate("doors", 'scripts/check-layers --compiler "$PROGRAMS"', needs=["programs"], paths=["scripts/check-layers", "Sources/Core/"]),
        Gate("names", 'scripts/check-names --programs "$PROGRAMS"', needs=["programs"], reaches=PACKAGED,
             paths=["README.md", "Sources/", "boards/", "scripts/", "udev/"]),
        Gate("page", 'scripts/check-page --programs "$PROGRAMS"', needs=["programs"], cores=0.5,
             again='scripts/check-page --programs "$PROGRAMS" --only {}',
             reaches=["sextant-page", "page-board"], paths=["scripts/check-page", "scripts/paging/"]),
        Gate("time", TIME, needs=["programs"], cores=0, again=TIME + " --only {}", reaches=["sextantd"],
             paths=["scripts/check-time", "scripts/timing/", "scripts/testing/gettimeofday.h"]),
        Gate("uplink", UPLINK, needs=["programs"], cores=0, again=UPLINK + " --only {}", reaches=["sextant-uplink", "sextantd"],
             paths=["scripts/check-uplink", "scripts/uplinking/", "scripts/testing/gettimeofday.h"]),
        # Debian's paho-mqtt is that of its own Python.
        Gate("collect", "PYTHONPATH=scripts /usr/bin/python3 -m unittest uplinking.tests",
             paths=["scripts/uplinking/", "Sources/Service/Collect/"]),
        TestGate("unit", ".", r"EndToEndTests\.", needs=["tests", "programs"]),
        TestGate("virtual", DRIVEN_CLOCK, needs=["tests", "programs"], reaches=DRIVEN),
        TestGate("real", r"EndToEndTests\.", f"{DRIVEN_CLOCK}|{TUNING}|{TIMED}", needs=["tests", "programs"], reaches=DAEMON),
        TestGate("tuning", TUNING, needs=["tests", "programs"], reaches=["sextant"], paths=["scripts/tune-", "scripts/tuning/"]),
        Gate("recordings", "scripts/check-recordings", needs=["programs"], reaches=["sextant"], paths=["scripts/check-recordings"]),
        Gate("fuzzing", '"$PROGRAMS/sextant-fuzz" --inputs 2000000 --seed 1', needs=["programs"], reaches=["sextant-fuzz"]),
        Gate("allocations", 'for part in decode monitors compass; do "$PROGRAMS/sextant-benchmark" $part --check; done',
             needs=["programs"], reaches=["sextant-benchmark"]),
        # While the tests are built SwiftPM's lock is theirs, and it would say nothing.
        Gate("first-run", "scripts/run --count 3", needs=["tests"], cores=0, reaches=["sextantd", "sextant"], paths=["scripts/run"]),
        # When nothing else wants the processors.
        Gate("firmware", FIRMWARE_CHECK, cores=2, covers=FIRMWARE),
        Gate("flights", FLIGHTS, needs=["programs", "firmware"], covers=FIRMWARE),
    ]
