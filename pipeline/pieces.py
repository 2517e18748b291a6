"""Files made of pieces of a fixed size, each packed on its own, so that the same rows are the same bytes whatever the
blocks, and a file can be cut and continued between any two of them.

    encoded  ├──── block ────┼──── block ────┼──── block ──
    pieces   ├──────────────────────┼──────────────────────
                             └ skip ┘ a checkpoint here takes up the second block again and drops `skip` of it

A piece is packed in a thread, beside solving and beside other pieces. What is counted is what `len` counts: bytes of
text, or rows of a table.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from megadoku.pipeline.file_output import FileOutput
from megadoku.pipeline.journal import START, Checkpoint, Journal
from megadoku.pipeline.pool import default_workers

if TYPE_CHECKING:
    from io import FileIO

    from megadoku.pipeline.encoding import Encoding
    from megadoku.pipeline.file_output import Bytes, End
    from megadoku.pipeline.summary import Summary


PACKERS = min(4, default_workers())  # each has a piece in memory


class Place(NamedTuple):
    """Where a piece ends: so much of a block is in it, and all blocks before that."""

    before: Summary
    skip: int


class Pieces(FileOutput):
    def __init__(self, stream: FileIO, journal: Journal, how: Encoding, found: Checkpoint) -> None:
        super().__init__(stream, journal, how, found)
        assert how.pack is not None
        self._pack, self._size = how.pack, how.piece
        self._skip = found.skip
        self._waiting: list[Any] = [how.header] if found == START and how.header else []  # for the rest of their piece
        self._packers = ThreadPoolExecutor(PACKERS, "packer")
        self._coming: deque[tuple[Future[Bytes], Place]] = deque()

    def write(self, encoded: Any, summary: Summary) -> None:
        start = min(self._skip, len(encoded))  # after a resume; small blocks may be in the file to the last row
        self._skip -= start
        while len(encoded) - start >= (lacking := self._size - sum(map(len, self._waiting))):
            self._waiting.append(encoded[start : start + lacking])
            start += lacking
            self._send(Place(self._total, start))
        if start < len(encoded):
            self._waiting.append(encoded[start:])
        self._count(summary)
        self._collect(PACKERS)
        self._keep_up()

    def finish(self) -> None:
        if self._waiting or not (self._coming or self._end.bytes):
            self._send(Place(self._total, 0))
        self._collect(0)
        self._put(self._ending())
        super().finish()

    def close(self) -> None:
        self._packers.shutdown(wait=False, cancel_futures=True)
        super().close()

    def _send(self, place: Place) -> None:
        self._coming.append((self._packers.submit(self._pack, self._waiting), place))
        self._waiting = []

    def _collect(self, ahead: int) -> None:
        """Put down what is packed; wait for it only where more than so many pieces are on their way."""
        while self._coming and (len(self._coming) > ahead or self._coming[0][0].done()):
            packed, place = self._coming.popleft()
            end = self._put_piece(packed.result())
            self._last = Checkpoint(place.before.rows, place.skip, *end, place.before.as_json())

    def _put_piece(self, packed: Bytes) -> End:
        return self._put(packed)

    def _ending(self) -> bytes:
        """What stands behind the last piece."""
        return b""
