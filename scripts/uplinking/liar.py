"""A broker that does not do as it should: one way of lying after the other, on one port of this machine's loopback."""
import contextlib, socket, threading

# What it answers to CONNECT (MQTT 3.1.1: 3.2 CONNACK, 2.2 the header of a packet); None to end the connection at once.
LIES = {
    "ends": None,
    "speaks garbage": bytes(range(256)) * 64,
    "announces 256 MB": b"\x20\x02\x00\x00" + b"\x30\xff\xff\xff\x7f" + b"\x00\x01t" + b"x" * 65536,
    "acknowledges what was not sent": b"\x20\x02\x00\x00" + b"\x40\x02\x7f\xff" * 1000,
    "cuts a packet": b"\x20\x02\x00\x00" + b"\x30\x10\x00\x20top",
    "refuses": b"\x20\x02\x00\x05",
}


class Liar:
    def __init__(self, port):
        self.heard, self.lie, self.open = dict.fromkeys(LIES, 0), next(iter(LIES)), []
        self.socket = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self.answer, args=(connection, self.lie), daemon=True).start()

    def answer(self, connection, lie):
        self.open.append(connection)
        with contextlib.suppress(OSError):
            connection.recv(4096)
            if LIES[lie] is not None:
                connection.sendall(LIES[lie])
            self.heard[lie] += 1
            # The rest of a packet never comes, and nothing is acknowledged.
            while LIES[lie] is not None and connection.recv(4096):
                pass
            connection.close()

    def hang_up(self):
        while self.open:
            with contextlib.suppress(OSError):
                self.open.pop().shutdown(socket.SHUT_RDWR)

    def stop(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.hang_up()
