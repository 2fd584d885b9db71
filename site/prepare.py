"""prepare.py FOLDER: lays out the sources of the book in a folder, from the files of the project.

The folder mirrors the project, so that links between pages are right as they stand: README.md, docs/, and of the rest
what a page links to. A folder that a page links to is its README.md, or becomes a page that lists its files; a model
becomes a page that shows it. Fails if a page is not in SUMMARY.md.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^(```+|~~~+)(.*)$")


def outside_code(text, change):
    """The text with its lines outside of fenced blocks changed, and spans of code left as they are."""
    lines, fence = [], None
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence is None and found:
            fence = found[1]
            # What a test is to do with a block is not for readers.
            language = re.split(r"[\s,]", found[2].strip(), maxsplit=1)[0]
            line = fence + language
        elif fence is not None and line.startswith(fence):
            fence = None
        elif fence is None:
            parts = re.split(r"(`+[^`]*`+)", line)
            line = "".join(part if index % 2 else change(part) for index, part in enumerate(parts))
        lines.append(line)
    return "\n".join(lines)


def place_of(page):
    """Where a page is in the book: the first page of a folder is its index."""
    return re.sub(r"(^|/)README\.md$", r"\1index.md", page)


class Book:
    def __init__(self, folder):
        self.source = Path(folder) / "src"
        summary = (ROOT / "site/SUMMARY.md").read_text()
        self.pages = re.findall(r"\]\((\S+)\)", summary)
        self.summary = LINK.sub(lambda link: link[1] + place_of(link[2]) + link[3], summary)
        self.folders = set()
        # Pages that are made, below the page `models/index.md`: their titles, by their paths.
        self.made = {}

    def write(self, path, text):
        file = self.source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def page(self, path):
        """Writes a page, and what it links to."""
        def linked(link):
            target = os.path.normpath(os.path.join(os.path.dirname(path), link[2]))
            return link[1] + self.target(path, link[2], target) + link[3]

        text = (ROOT / path).read_text()
        # Link texts may be code, so links are looked for in whole lines, and only their targets changed.
        self.write(place_of(path), outside_code(text, lambda part: LINK.sub(linked, part)))

    def target(self, page, link, target):
        """What a link of a page becomes."""
        if re.match(r"[a-z]+:", link):
            return link
        if target in self.pages:
            return place_of(link)
        if target.startswith(".."):
            sys.exit(f"{page}: the link {link} leaves the project")
        if not (ROOT / target).exists():
            sys.exit(f"{page}: the link {link} leads nowhere")
        up = os.path.relpath(target, os.path.dirname(page) or ".")
        if (ROOT / target).is_dir():
            if f"{target}/README.md" not in self.pages:
                self.folder(target)
            return f"{up}/index.md"
        if target.endswith(".kin"):
            self.model(target)
            return up.removesuffix(".kin") + ".md"
        if target.endswith(".md"):
            sys.exit(f"{page}: {target} is not in site/SUMMARY.md")
        file = self.source / target
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / target, file)
        return link

    def model(self, path):
        if path not in self.made:
            self.made[path] = Path(path).name
            text = (ROOT / path).read_text()
            self.write(Path(path).with_suffix(".md"), f"# `{path}`\n\n```kin\n{text.rstrip()}\n```\n")

    def folder(self, path):
        """A page that lists the files of a folder."""
        if path in self.folders:
            return
        self.folders.add(path)
        lines = [f"# `{path}/`", ""]
        for entry in sorted((ROOT / path).iterdir(), key=lambda entry: (entry.is_file(), entry.name)):
            name = f"{path}/{entry.name}"
            # What is not part of the project: hidden, installed or built.
            if entry.name.startswith(".") or entry.name in ("node_modules", "out", "target"):
                continue
            link = f"]({entry.name})"
            link = LINK.sub(lambda found: found[1] + self.target(f"{path}/index.md", found[2], name) + found[3], link)
            about = first_sentence(entry) if entry.suffix == ".kin" else ""
            lines.append(f"- [`{entry.name}`{link}{about}")
        self.write(f"{path}/index.md", "\n".join(lines) + "\n")

    def all(self):
        listed = set(self.pages)
        missing = [f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")) if f"docs/{page.name}" not in listed]
        if missing:
            sys.exit(f"site/SUMMARY.md does not have {', '.join(missing)}")
        # Pictures and the like may be in more than links; all of them are there.
        shutil.copytree(ROOT / "docs", self.source / "docs", ignore=shutil.ignore_patterns("*.md"))
        self.folder("models")
        for page in self.pages:
            if page != "models/index.md":
                self.page(page)
        self.write("SUMMARY.md", self.with_made_pages())

    def with_made_pages(self):
        """The summary, with the pages that were made below the one of all models. Only what is listed is drawn."""
        lines = []
        below = sorted(f"{folder}/index.md" for folder in self.folders if folder.startswith("models/"))
        others = {f"{folder}.md": folder for folder in self.folders if not folder.startswith("models")}
        for line in self.summary.split("\n"):
            lines.append(line)
            page = re.search(r"\]\((\S+)\)", line)
            # The files of `docs/conform.md` are in `docs/conform/`.
            if page and page[1] in others:
                folder = others[page[1]]
                lines.append(f"  - [{folder}/]({folder}/index.md)")
            if "](models/index.md)" in line:
                for page in below:
                    lines.append(f"  - [{os.path.dirname(page)}/]({page})")
                    lines += self.models_in(os.path.dirname(page), "    ")
                lines += self.models_in("models", "  ")
                elsewhere = [path for path in self.made if os.path.dirname(path) not in self.folders]
                lines += [f"  - [{path}]({path.removesuffix('.kin')}.md)" for path in sorted(elsewhere)]
        return "\n".join(lines)

    def models_in(self, folder, indentation):
        inside = sorted(path for path in self.made if os.path.dirname(path) == folder)
        return [f"{indentation}- [{Path(path).name}]({path.removesuffix('.kin')}.md)" for path in inside]


def first_sentence(path):
    """What the comment at the head of a model says first."""
    text = []
    for line in path.read_text().split("\n"):
        if not line.startswith("//") or not line[2:].strip():
            break
        text.append(line[2:].strip())
    sentence = re.match(r".*?\.(?=\s|$)", " ".join(text))
    return f": {sentence[0]}" if sentence else ""


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    Book(folder).all()
    for name in ("book.toml", "kin.css"):
        shutil.copyfile(ROOT / "site" / name, folder / name)
    grammar = json.dumps(json.loads((ROOT / "editors/kinfold.tmLanguage.json").read_text()))
    (folder / "kin.js").write_text(f"const KIN = {grammar};\n{(ROOT / 'site/colour.js').read_text()}")


if __name__ == "__main__":
    main()
