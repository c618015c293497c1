"""A disk whose every write and flush is recorded, and what a power cut leaves of it.

The disk is a file of a file system that this module serves over /dev/fuse; the kernel's loop device makes a block
device of it. A flush of the block device arrives here as the file's fsync, after every write that it must keep.
"""
import bisect, ctypes, itertools, mmap, os, signal, struct, subprocess, time

from .bench import Failure, Unavailable
from .patience import PATIENCE

BLOCK = 4096
CLONE_NEWNS, MS_REC, MS_PRIVATE, PR_SET_PDEATHSIG = 0x20000, 0x4000, 1 << 18, 1
# Operations of the protocol (Linux, include/uapi/linux/fuse.h).
FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC = 2, 3, 4, 14, 15, 16, 17, 18, 20
FLUSH, INIT, INTERRUPT, BATCH_FORGET = 25, 26, 36, 42
ENOSYS = 38
BIG_WRITES, MAX_PAGES, KEEP_CACHE, MOST = 1 << 5, 1 << 22, 2, 1 << 20
PACKAGES = {"mkfs.ext4": "e2fsprogs", "mount": "mount", "umount": "mount"}
# A record of the log is this and the bytes; a flush has none.
RECORD = struct.Struct("<QI")


def enter_namespace(bench):
    """Gives this process mounts of its own, which end with it, and memory at the returned path."""
    library = ctypes.CDLL(None, use_errno=True)
    RecordedDisk.outside = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    if library.unshare(CLONE_NEWNS) or library.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None):
        raise Unavailable("mounts are forbidden here; run this as root, outside of a container")
    memory = bench.path("memory")
    os.mkdir(memory)
    command(bench, "mount", "-t", "tmpfs", "none", memory)
    return memory


def command(bench, name, *arguments):
    done = subprocess.run([bench.tool(name, PACKAGES[name]), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{name} {' '.join(arguments)}: {done.stderr.strip()}")


class FileSystem:
    """A kind of file system: how it is made, and how it is mounted."""

    def __init__(self, name, make, options):
        self.name, self.make, self.options = name, make, options

    def image(self, bench, path, size):
        """The bytes of a new one."""
        with open(path, "wb") as file:
            file.truncate(size)
        command(bench, "mkfs.ext4", "-q", "-F", "-b", str(BLOCK), "-J", "size=4", "-m", "0",
                "-E", "lazy_itable_init=0,lazy_journal_init=0", *self.make, path)
        with open(path, "rb") as file:
            data = file.read()
        os.unlink(path)
        return data

    def mount(self, bench, path, folder):
        # The kernel gives a loop device back some time after it was unmounted, and has none to give meanwhile.
        again(lambda: command(bench, "mount", "-t", "ext4", "-o", f"loop,noatime,{self.options}", path, folder),
              "loop device")


def unmount(bench, folder):
    """Unmounts it once nobody has it open any more."""
    again(lambda: command(bench, "umount", folder), "busy")


def again(act, reason):
    """Acts, again and again while it fails for this reason, for a while."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except Failure as failure:
            if reason not in str(failure) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


class RecordedDisk:
    """Serves an image as a file and records what is done to it, in a process of its own."""

    # The mounts that were there before this process had its own.
    outside = None

    def __init__(self, bench, memory, image):
        self.bench, self.path, self.log, self.first = bench, bench.path("disk"), os.path.join(memory, "log"), image
        self.counter = mmap.mmap(-1, 8)
        open(self.path, "ab").close()
        try:
            link = os.open("/dev/fuse", os.O_RDWR)
        except OSError as error:
            raise Unavailable(f"/dev/fuse: {error.strerror}") from None
        mounted, mount = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(mount)
                self.serve(link, mounted)
            finally:
                os._exit(0)
        options = f"fd={link},rootmode=100000,user_id=0,group_id=0,allow_other"
        library = ctypes.CDLL(None, use_errno=True)
        failed = library.mount(b"sextant", self.path.encode(), b"fuse", 0, options.encode())
        error = ctypes.get_errno()
        for descriptor in (link, mounted, mount):
            os.close(descriptor)
        if failed:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            raise Unavailable(f"a file system over /dev/fuse cannot be mounted: {os.strerror(error)}")

    def serve(self, link, mounted):
        """The process that serves; it must not have the mounts, for their end would wait for it, and it for them.

        mounted: A pipe whose other end is closed once there is something to serve; before that, reading the link fails.
        """
        library = ctypes.CDLL(None)
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        server = Server(link, self.first, self.log, self.counter)
        os.read(mounted, 1)
        if library.setns(self.outside, CLONE_NEWNS) == 0:
            server.serve()

    @property
    def position(self):
        """How many writes and flushes there were."""
        return struct.unpack_from("<Q", self.counter)[0]

    def end(self):
        """Ends it, and returns what was recorded."""
        unmount(self.bench, self.path)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return Recording(self.first, self.log)


class Server:
    """The server's side of /dev/fuse: one file, which is the file system's root."""

    def __init__(self, link, image, log, counter):
        self.link, self.image, self.counter, self.count = link, bytearray(image), counter, 0
        self.log = open(log, "wb", buffering=0)

    def serve(self):
        while True:
            try:
                request = os.read(self.link, MOST + BLOCK)
            except InterruptedError:
                continue
            except OSError:
                return
            _, operation, unique, *_ = struct.unpack_from("<IIQ", request)
            if operation in (FORGET, BATCH_FORGET, INTERRUPT):
                continue
            body = self.answer(operation, memoryview(request)[40:])
            error, body = (0, body) if body is not None else (-ENOSYS, b"")
            os.write(self.link, struct.pack("<IiQ", 16 + len(body), error, unique) + body)

    def answer(self, operation, body):
        if operation == READ:
            offset, size = struct.unpack_from("<QI", body, 8)
            return bytes(self.image[offset:offset + size])
        if operation == WRITE:
            offset, size = struct.unpack_from("<QI", body, 8)
            data = body[40:40 + size]
            self.image[offset:offset + size] = data
            self.note(offset, data)
            return struct.pack("<II", size, 0)
        if operation == FSYNC:
            self.note(0, b"")
            return b""
        if operation in (FLUSH, RELEASE):
            return b""
        if operation in (GETATTR, SETATTR):
            status = struct.pack("<QQQQQQIIIIIIIIII", 1, len(self.image), len(self.image) // 512, 0, 0, 0, 0, 0, 0,
                                 0o100600, 1, 0, 0, 0, BLOCK, 0)
            return struct.pack("<QII", 3600, 0, 0) + status
        if operation == OPEN:
            return struct.pack("<QII", 0, KEEP_CACHE, 0)
        if operation == STATFS:
            return bytes(80)
        if operation == INIT:
            return struct.pack("<IIIIHHIIHHI7I", 7, 31, 0, BIG_WRITES | MAX_PAGES, 16, 12, MOST, 1, MOST // BLOCK, 0, 0,
                               *[0] * 7)
        return None

    def note(self, offset, data):
        """The record is in the log before the kernel hears that it is done."""
        self.log.write(RECORD.pack(offset, len(data)) + bytes(data))
        self.count += 1
        struct.pack_into("<Q", self.counter, 0, self.count)


class Recording:
    """What happened to a disk: its first image, and every write and flush since."""

    def __init__(self, image, log):
        self.image, self.entries = image, []
        with open(log, "rb") as file:
            data = file.read()
        os.unlink(log)
        place = 0
        while place < len(data):
            offset, size = RECORD.unpack_from(data, place)
            place += RECORD.size
            self.entries.append((offset, data[place:place + size]))
            place += size
        self.flushes = [index for index, (_, written) in enumerate(self.entries) if not written]

    def pending(self, position):
        """The first entry that no flush before this position made sure of."""
        flush = bisect.bisect_left(self.flushes, position)
        return self.flushes[flush - 1] + 1 if flush else 0

    def cuts(self, cuts):
        """For each cut, in the order of their positions, its image as a `bytearray`."""
        durable, done = bytearray(self.image), 0
        for cut in sorted(cuts, key=lambda cut: cut.position):
            kept = self.pending(cut.position)
            for offset, data in itertools.islice(self.entries, done, kept):
                durable[offset:offset + len(data)] = data
            done = max(done, kept)
            image = bytearray(durable)
            cut.apply(image, self.entries[kept:cut.position])
            yield cut, image


class Cut:
    """A power cut after so many writes and flushes: what was not flushed is kept whole, in part, or not."""

    FORMS = ("nothing", "all", "some", "some", "torn")

    def __init__(self, position, random):
        self.position, self.form, self.seed = position, random.choice(self.FORMS), random.getrandbits(32)
        # The size of what a medium writes whole.
        self.sector = random.choice([512, BLOCK])
        self.random, self.unflushed, self.kept = type(random)(self.seed), 0, 0

    def apply(self, image, pending):
        pieces = list(self.pieces(pending))
        self.unflushed = len(pieces)
        if self.form == "nothing":
            pieces = []
        elif self.form != "all":
            share = self.random.choice([0.1, 0.5, 0.9])
            pieces = [piece for piece in pieces if self.random.random() < share]
            self.random.shuffle(pieces)
        self.kept = len(pieces)
        for offset, data in pieces:
            image[offset:offset + len(data)] = data

    def pieces(self, pending):
        """What is written whole or not at all: blocks, or sectors of them where writes are torn.

        The file system's first block holds its superblock, with one checksum over two sectors: it stays whole, since
        what is proved is not the file system.
        """
        for offset, data in pending:
            start = 0
            while start < len(data):
                size = self.sector if self.form == "torn" and offset + start >= BLOCK else BLOCK
                size = min(len(data), start + size - (offset + start) % size) - start
                yield offset + start, data[start:start + size]
                start += size

    def __str__(self):
        return f"cut {self.position} ({self.form}: {self.kept} of {self.unflushed} unflushed blocks or sectors kept)"
