"""The web server's worker: gunicorn's threads, which get requests only when they have arrived as a whole.

gunicorn gives a thread to a request at its first byte. Eight people who send one byte of a body and then nothing would
keep eight threads, and so everybody, waiting. Here one loop collects the bytes of all connections.
"""

import socket
import struct
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.http import get_parser
from gunicorn.workers.gthread import TConn, ThreadWorker

from config.serving.incoming import Incoming, NotTaken

CHUNK, CHUNKS_AT_A_TIME = 64 * 1024, 16
LINGER = 2.0  # seconds in which a client may read why it was refused
SILENT_READER = 30  # seconds after which a thread gives up a client that takes nothing of its answer
PHRASES = {
    400: "Bad Request",
    405: "Method Not Allowed",
    408: "Request Timeout",
    411: "Length Required",
    413: "Content Too Large",
    431: "Headers Too Large",
}


class Connection(TConn):
    """A connection, with the request that is arriving on it. For the parser it is what is read from."""

    def __init__(self, worker: "WholeRequestWorker", *arguments: Any) -> None:
        super().__init__(*arguments)
        self.worker, self.incoming = worker, Incoming(time.monotonic())
        self.ends = False  # whether an answer has been sent after which nothing more is read
        self.data_ready = True
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SILENT_READER, 0))
        self.parser = get_parser(self.cfg, self, self.client)

    def recv(self, size: int) -> bytes:
        return self.incoming.kept.read(size)

    def close(self, graceful: bool = False) -> None:
        """Close the connection; graceful: when the client has had time to read its answer, for which nobody waits."""
        self.incoming.close()
        if graceful and not self.ends:
            self.worker.let_end(self)
        else:
            super().close()


class WholeRequestWorker(ThreadWorker):
    """Threads for requests that are there as a whole, and a loop for those that arrive."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.arriving: set[Connection] = set()

    def accept(self, listener: socket.socket) -> None:
        try:
            accepted, address = listener.accept()
        except OSError:  # the client is gone already, or another process was quicker
            return
        self.nr_conns += 1
        self.enqueue_req(Connection(self, self.cfg, accepted, address, listener.getsockname()))

    def enqueue_req(self, conn: Connection) -> None:
        """Wait for a request on a connection, where gunicorn would give it to a thread."""
        early = conn.parser.unreader.take_buffered()
        conn.incoming = Incoming(time.monotonic())
        conn.sock.setblocking(False)
        self.arriving.add(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_bytes, conn))
        self._take(conn, early)

    def on_bytes(self, conn: Connection, _socket: socket.socket) -> None:
        for _ in range(CHUNKS_AT_A_TIME):
            try:
                data = conn.sock.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                return self._drop(conn)
            if not conn.ends and self._take(conn, data):
                return None
        return None

    def _take(self, conn: Connection, data: bytes) -> bool:
        """Add bytes to the request that arrives, and return whether it is not waited for any more."""
        try:
            conn.incoming.take(data, time.monotonic())
        except NotTaken as refusal:
            self._refuse(conn, refusal.args[0])
            return True
        if conn.incoming.is_whole:
            self._forget(conn)
            conn.incoming.rewind()
            super().enqueue_req(conn)
            return True
        if conn.incoming.wants_to_be_asked:
            conn.incoming.wants_to_be_asked = False
            with suppress(OSError):
                conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return False

    def finish_request(self, conn: Connection, future: Any) -> None:
        conn.parser.unreader.unread(conn.incoming.surplus)  # the next request may have come along
        conn.incoming.close()
        super().finish_request(conn, future)

    def _refuse(self, conn: Connection, status: int) -> None:
        self._forget(conn)
        head = f"HTTP/1.1 {status} {PHRASES[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n"
        with suppress(OSError):
            conn.sock.send(f"{head}Content-Length: {len(PHRASES[status]) + 1}\r\n\r\n{PHRASES[status]}\n".encode())
        self.nr_conns -= 1
        conn.close(graceful=True)

    def let_end(self, conn: Connection) -> None:
        """Read and drop what still comes, for a moment: closed at once, the client may never see its answer."""
        conn.ends = True
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            return conn.close()
        conn.incoming.deadline = time.monotonic() + LINGER
        self.nr_conns += 1
        self.arriving.add(conn)
        return self.poller.register(conn.sock, EVENT_READ, partial(self.on_bytes, conn))

    def murder_pending(self) -> None:
        """Answer those whose time is up; before the end, also those from whom nothing has come."""
        now = time.monotonic()
        for conn in list(self.arriving):
            late, idle = conn.incoming.deadline < now, not conn.incoming.head
            if late and not idle and not conn.ends:
                self._refuse(conn, 408)
            elif late or (idle and not self.alive):
                self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        self._forget(conn)
        self.nr_conns -= 1
        conn.close()

    def _forget(self, conn: Connection) -> None:
        self.arriving.discard(conn)
        with suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)
