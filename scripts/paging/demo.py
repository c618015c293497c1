"""The page in the browser, before an emulated board that has lived some hours.

usage: python3 -m paging.demo FOLDER-OF-PROGRAMS [PORT]
"""
import os, select, signal, sys, webbrowser

from .board import Board


def main():
    programs, port = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8947
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print("A boat's last six hours are lived through first; this takes some seconds.", flush=True)
    with Board(programs, hours=6.0, port=port) as board:
        print(f"The page, with its secret:\n\n    {board.secret_address}\n\nCtrl-C ends it.", flush=True)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(board.secret_address)
        # Until one of them ends.
        select.select([os.pidfd_open(each.pid) for each in (board.page, board.board)], [], [])
    return 74


try:
    sys.exit(main())
except KeyboardInterrupt:
    pass
except RuntimeError as error:
    sys.exit(f"run: {error}")
