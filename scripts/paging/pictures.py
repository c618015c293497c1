"""Pictures of six states of a board, at three widths, light and dark, for eyes: nothing is checked.

usage: python3 -m paging.pictures FOLDER-OF-PROGRAMS FOLDER
"""
import os, sys

from .board import Board, until
from .browser import WIDTHS, Browser
from .told import ABROAD, OVER_180, SEARCHING, ToldBoard

# Pixels of a picture that eyes can still read when it is shown whole.
LONGEST = 1500


class Studio:
    def __init__(self, programs, folder):
        self.programs, self.folder, self.browser = programs, folder, Browser()
        os.makedirs(folder, exist_ok=True)

    def take(self, name, *sections):
        """The whole page, or these sections of it alone, at each width, light and dark; what is long in several pictures."""
        for width, size in WIDTHS.items():
            for scheme in ("light", "dark"):
                self.browser.size(*size)
                self.browser.media(prefers_color_scheme=scheme)
                self.browser.run("""
                    for (const each of document.querySelectorAll('section'))
                        each.style.display = !arguments[0].length || arguments[0].includes(each.id) ? '' : 'none';
                    dispatchEvent(new Event('resize'));""", sections)
                self.browser.drawn()
                self.browser.whole(f"{self.folder}/{name}-{width}-{scheme}.png", LONGEST)

    def open(self, board, words):
        self.browser.begin()
        self.browser.open(board)
        self.browser.until_says(words)

    def first_start(self):
        with ToldBoard(self.programs) as board:
            self.open(board, "Waiting")
            for line in SEARCHING:
                board.daemon.tell(line)
            self.browser.until_says("Searching")
            self.take("1-first-start")

    def lived(self):
        """A boat that has sailed for six hours: track, power, visits."""
        with Board(self.programs) as board:
            self.open(board, "Tracking")
            shown = "return document.querySelectorAll('#visits-list tr').length > 1 && document.querySelectorAll('#power-legend span').length > 0 && sextantSky.markers.length > 3"
            until(lambda: self.browser.run(shown), "visits, power and sky")
            self.browser.run("document.getElementById('map-fit').click()")
            self.take("2-track")
            self.take("3-power", "power")
            self.take("5-visits", "regions", "map")

    def anchored(self):
        """A boat among Fiji's islands, within its circle."""
        with ToldBoard(self.programs, OVER_180) as board:
            self.browser.begin()
            self.browser.open(board)
            board.daemon.tell(ABROAD)
            self.browser.until_says("Tracking")
            for button in ("anchor-drop", "ask-yes"):
                self.browser.run("document.getElementById(arguments[0]).click()", button)
            self.browser.until_says("Holding", "anchor-state")
            self.take("4-anchor", "now", "map", "anchor", "regions")

    def troubled(self, state, words):
        with Board(self.programs, state=state) as board:
            self.open(board, words)
            self.take(f"6-{state}")


def main():
    studio = Studio(*sys.argv[1:3])
    try:
        studio.first_start()
        studio.lived()
        studio.anchored()
        studio.troubled("asleep", "by plan")
        studio.troubled("unplugged", "unplugged")
    finally:
        studio.browser.quit()
    print(f"check-page: pictures in {studio.folder}")


main()
