"""Makes pages of README.md and CHANGELOG.md, and leads links to other files of the checkout to its repository."""

import os
import posixpath
import re

from mkdocs.structure.files import File

REPOSITORY = "https://github.com/gleaner-web/gleaner/blob/main/"
# Pages by the files that they are made of. docs/index.md is about the index, so it is not the first page.
PAGES = {"README.md": "home.md", "CHANGELOG.md": "changes.md", "docs/index.md": "search-index.md"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^( *```.*?^ *```[^\n]*$)", re.M | re.S)


def on_files(files, config):
    root = os.path.dirname(config.docs_dir)
    files.remove(files.get_file_from_path("index.md"))
    for source, page in PAGES.items():
        with open(os.path.join(root, source), encoding="utf-8") as f:
            made = File.generated(config, page, content=f.read())
        if page == "home.md":
            made.dest_uri = "index.html"
        files.append(made)
    with open(os.path.join(os.path.dirname(__file__), "iframe-worker.js"), encoding="utf-8") as f:
        files.append(File.generated(config, SHIM, content=f.read()))
    return files


SHIM = "assets/javascripts/iframe-worker.js"


def on_post_page(output, page, config):
    # The theme would fetch the shim with which the search works from files.
    own = posixpath.relpath(SHIM, posixpath.dirname(page.file.dest_uri) or ".")
    return output.replace("https://unpkg.com/iframe-worker/shim", own)


def on_page_markdown(markdown, page, config, files):
    here = {made: source for source, made in PAGES.items()}.get(page.file.src_uri, "docs/" + page.file.src_uri)

    def led(match):
        path, sign, anchor = match[2].partition("#")
        if not path or ":" in path:
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        inside = target.removeprefix("docs/")
        if target in PAGES:
            inside = PAGES[target]
        if files.get_file_from_path(inside) and (target in PAGES or target != inside):
            path = posixpath.relpath(inside, posixpath.dirname(page.file.src_uri))
        elif os.path.exists(os.path.join(os.path.dirname(config.docs_dir), target)):
            path = REPOSITORY + target
        return match[1] + path + sign + anchor + match[3]

    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(led, part) for part in parts[::2]]
    return "".join(parts)
