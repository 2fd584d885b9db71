"""links.py FOLDER: every link within a site leads to a file that is there, and to a place in it that is there."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(given[name])


def main():
    folder = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    broken, links = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            base = folder if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            # The page for what is not found is served at any place, and so its links are from the top.
            if target.is_dir():
                target /= "index.html"
            name = path.relative_to(folder)
            if not target.is_relative_to(folder) or not target.exists():
                broken.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                broken.append(f"{name}: {link}: there is no such place in that page")
    print("\n".join(sorted(set(broken))) or f"{len(pages)} pages, {links} links within them")
    return 1 if broken or not links else 0


if __name__ == "__main__":
    sys.exit(main())
