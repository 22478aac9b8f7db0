#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""tools/site_pages.py FOLDER: pages of the website that are no files: all options, tessera_io, the notebooks.

FOLDER has a copy of README.md and docs/, into which they are written, and in which pages link to the notebooks as pages.
"""

import ast
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "python", "tessera_io")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rows_of_options(path, folder):
    """((option, default, meaning), link to the page) of each row of the page's tables of options, with links as in `folder`."""
    text = read(path)
    place = os.path.relpath(os.path.dirname(path), folder)

    def moved(match):
        return "](" + (os.path.normpath(os.path.join(place, match[1])) if match[1] else os.path.basename(path)) + match[2] + ")"

    title = f"[{re.match('# (.*)', text)[1]}]({os.path.relpath(path, folder)})"
    for table in re.findall(r"^\| option \|.*\n\| ---.*\n((?:\|.*\n)*)", text, re.MULTILINE):
        for row in table.splitlines():
            option, *others = (cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1])
            meaning = re.sub(r"\]\((?!http)([^)#]*)(#?[^)]*)\)", moved, others[-1])
            default = others[0] if len(others) > 1 else ""
            if option.startswith("`--"):  # not those of CMake
                yield (option, default, meaning), title


def options(docs):
    """All options in the order of their names; pages that say the same of one share its row."""
    pages = {}
    for path in sorted(glob.glob(os.path.join(docs, "**", "*.md"), recursive=True)):
        for cells, title in rows_of_options(path, docs):
            pages.setdefault(cells, []).append(title)
    rows = [f"| {' | '.join(cells)} | {', '.join(titles)} |" for cells, titles in sorted(pages.items())]
    return "\n".join(["# All options", "", "| option | default | meaning | page |", "| --- | --- | --- | --- |", *rows, ""])


def of_site(row):
    """A row of a table for Python-Markdown, which reads \\| in code as two characters."""
    return re.sub("`[^`]*`", lambda code: code[0].replace("\\|", "|"), row)


def documented(node, name, level):
    """Heading, signature and docstring of a function or class, then those of its public functions."""
    lines = ["#" * level + f" `{name}`", "", "```text"]
    if isinstance(node, ast.FunctionDef) and not node.decorator_list:  # no property
        lines += [f"{name}({ast.unparse(node.args).removeprefix('self').removeprefix(', ')})", ""]
    lines += [ast.get_docstring(node) or "", "```", ""]
    for inner in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
        if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and ast.get_docstring(inner):
            lines += documented(inner, f"{name.rpartition('.')[2]}.{inner.name}", level + 1)
    return lines


def reference():
    """Classes of tessera_io, and the functions that it and tessera_io.plot export or the manual imports, from their docstrings."""
    exported = re.findall(r'^    "(\w+)": \("(\w+)", "(\w+)"\)', read(os.path.join(PACKAGE, "__init__.py")), re.MULTILINE)
    short = {f"tessera_io.{module}.{member}": "tessera_io." + name for name, module, member in exported if name != "open"}
    short |= {"tessera_io.start." + name: "tessera_io." + name for name in ("run", "sweep")}
    drawing = re.findall(r'^    "(\w+)": "(\.\w+)"', read(os.path.join(PACKAGE, "plot", "__init__.py")), re.MULTILINE)
    short |= {f"tessera_io.plot{module}.{name}": "tessera_io.plot." + name for name, module in drawing}
    manual = "".join(read(path) for path in glob.glob(os.path.join(ROOT, "docs", "**", "*.*[db]"), recursive=True))
    imported = {name for names in re.findall(r"from tessera_io[.a-z_]* import ([\w, ]+)", manual) for name in names.split(", ")}
    entries = []
    for path in glob.glob(os.path.join(PACKAGE, "*.py")) + glob.glob(os.path.join(PACKAGE, "plot", "*.py")):
        module = os.path.relpath(path, os.path.dirname(PACKAGE))[:-3].replace(os.sep, ".")
        for node in ast.parse(read(path)).body:
            name = f"{module}.{getattr(node, 'name', '')}"
            is_class = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if is_class or isinstance(node, ast.FunctionDef) and (name in short or node.name in imported):
                entries.append((name not in short, short.get(name, name), node))
    lines = ["# tessera_io: reference", "", "[Python](python.md) has examples."]
    for _, name, node in sorted(entries, key=lambda entry: entry[:2]):
        lines += ["", *documented(node, name, 2)]
    return "\n".join(lines)


if __name__ == "__main__":
    target = os.path.join(sys.argv[1], "docs")
    for page, text in (("options.md", options(target)), ("tessera_io.md", reference())):
        with open(os.path.join(target, page), "w", encoding="utf-8") as written:
            written.write(text)
    for notebook in glob.glob(os.path.join(target, "notebooks", "*.ipynb")):
        subprocess.run(["jupyter-nbconvert", "--log-level", "ERROR", "--to", "markdown", notebook], check=True)
    for path in [*glob.glob(os.path.join(sys.argv[1], "*.md")), *glob.glob(os.path.join(target, "**", "*.md"), recursive=True)]:
        text = re.sub(r"(\]\([^):]*)\.ipynb\)", r"\1.md)", read(path))
        lines = [of_site(line) if line.startswith("|") else line for line in text.split("\n")]
        with open(path, "w", encoding="utf-8") as written:
            written.write("\n".join(lines))
