# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Recipes for Spack, the archive of the sources, files for containers, module file, completions, man page, citation: held against the sources."""

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import unittest

import program

METHODS = ("kmc", "kpz", "disks")


def text_of(*path):
    return program.read(os.path.join(program.SOURCE, *path))


def version():
    return re.search(r"project\(tessera VERSION (\S+)", text_of("CMakeLists.txt"))[1]


def cmake_options():
    lists = text_of("CMakeLists.txt") + text_of("cmake", "TesseraDependencies.cmake")
    return set(re.findall(r"^(?:option|set)\((TESSERA_\w+)", lists, re.MULTILINE))


class Recipes(unittest.TestCase):
    """What Spack itself cannot see: that the recipes and environments agree with the sources."""

    FOLDER = os.path.join("spack", "repo", "spack_repo", "tessera", "packages")
    LIBRARIES = {  # what CMake asks for at least
        "kokkos": r"TESSERA_KOKKOS_MINIMUM ([\d.]+)",
        "boost": r"find_package\(Boost ([\d.]+)",
        "nlohmann-json": r"find_package\(nlohmann_json ([\d.]+)",
        "googletest": r"find_package\(GTest ([\d.]+)",
    }

    def test_the_recipe_builds_the_sources_that_contain_it(self):
        recipe = os.path.join(self.FOLDER, "tessera", "package.py")
        self.assertIn(f"Path(__file__).resolve().parents[{recipe.count(os.sep)}]", text_of(recipe))

    def test_the_oldest_versions_are_those_of_cmake_and_pip(self):
        recipe = text_of(self.FOLDER, "tessera", "package.py")
        cmake = text_of("cmake", "TesseraDependencies.cmake")
        oldest = {name: re.search(least, cmake)[1] for name, least in self.LIBRARIES.items()}
        oldest["kokkos-kernels"] = oldest["kokkos"]
        oldest["cmake"] = re.search(r"cmake_minimum_required\(VERSION ([\d.]+?)\.\.\.", text_of("CMakeLists.txt"))[1]
        for name, least in oldest.items():
            self.assertIn(f'depends_on("{name}@{least}:', recipe)
        environments = [text_of(*path, "spack.yaml") for path in ((), ("spack", "cpu"), ("spack", "mpi"))]
        for environment in environments:
            for name in self.LIBRARIES:
                self.assertIn(f"{name}@{oldest[name]}: ", environment)
        recipe = text_of(self.FOLDER, "py_tessera_io", "package.py")
        packages = re.findall(r'"([a-z0-9]+)>=([\d.]+)"', text_of("python", "pyproject.toml"))
        self.assertIn(("h5py", "3.0"), packages)
        for name, least in packages:
            self.assertIn(f'"py-{name}@{least}:"', recipe)

    def test_options_of_cmake_exist(self):
        options = set(re.findall(r'"(TESSERA_\w+)"', text_of(self.FOLDER, "tessera", "package.py")))
        self.assertIn("TESSERA_ENABLE_MPI", options)
        self.assertLessEqual(options, cmake_options())


@unittest.skipUnless(shutil.which("git"), "this machine has no git")
class SourceArchive(program.InFolder):
    COPIED = ("CMakeLists.txt", ".gitattributes", "cmake", "spack", "tools")
    # Nothing of the user's git, nor of one that runs the tests.
    ENVIRONMENT = {name: value for name, value in os.environ.items() if not re.match("(TESSERA_)?GIT_", name)}
    ENVIRONMENT["GIT_CONFIG_GLOBAL"] = os.devnull

    @classmethod
    def call(cls, *words, **more):
        return subprocess.run(words, capture_output=True, text=True, check=True, env=cls.ENVIRONMENT, **more).stdout

    @classmethod
    def git(cls, *words, clone="clone"):
        return cls.call("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", cls.path(clone), *words)

    @classmethod
    def prepare(cls):
        os.mkdir(cls.path("clone"))
        for name in cls.COPIED:
            path = os.path.join(program.SOURCE, name)
            copy = shutil.copytree if os.path.isdir(path) else shutil.copy
            copy(path, cls.path(os.path.join("clone", name)))
        # As in git: what the tests run from may be an archive, which has a revision there.
        program.write(cls.path("clone/cmake/archive_revision.txt"), "$Format:%H$\n")
        cls.git("init", "--quiet")
        cls.git("add", "--all")
        cls.git("commit", "--quiet", "--message", "all")
        cls.git("tag", "v1")

    def archive(self, *words, clone="clone", **more):
        """(path, the line that is printed)"""
        line = self.call(self.path(os.path.join(clone, "tools", "source_archive.sh")), *words, **more)
        path = self.path(os.path.join(clone, "dist", f"tessera-{version()}.tar.gz"))
        with open(path, "rb") as file:
            checksum = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(line, f'    version("{version()}", sha256="{checksum}")\n')
        return path, line

    def test_it_has_the_files_and_revision_of_git(self):
        with open(self.path("clone/untracked"), "w", encoding="utf-8"):
            pass
        path, _ = self.archive()
        with tarfile.open(path) as archive:
            files = {member.name for member in archive.getmembers() if member.isfile()}
            archive.extractall(self.folder)
        top = f"tessera-{version()}"
        self.assertEqual(files, {f"{top}/{name}" for name in self.git("ls-files").splitlines()})
        script = self.path(os.path.join(top, "cmake", "TesseraVersion.cmake"))
        output = self.path("version.cpp")
        self.call("cmake", f"-DSOURCE_DIR={self.path(top)}", f"-DVERSION={version()}", f"-DOUTPUT={output}", "-P", script)
        self.assertIn(self.git("rev-parse", "HEAD").strip(), program.read(output))

    def test_a_commit_gives_the_same_bytes_in_each_clone(self):
        _, line = self.archive()
        self.git("clone", "--quiet", ".", self.path("other"))
        self.git("config", "tar.umask", "user", clone="other")
        self.assertEqual(self.archive("v1", clone="other", umask=0o077)[1], line)

    def test_a_release_puts_its_line_into_the_recipe_once(self):
        _, line = self.archive("--recipe", "v1")
        self.archive("--recipe", "v1")
        recipe = os.path.join(Recipes.FOLDER, "tessera", "package.py")
        text = program.read(self.path(os.path.join("clone", recipe)))
        self.assertEqual(text.count(line), 1)
        self.assertEqual(text.replace(line, ""), re.sub(rf'    version\("{version()}".*\n', "", text_of(recipe)))


class Containers(unittest.TestCase):
    INSTRUCTIONS = {"ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "RUN", "WORKDIR"}

    def instructions(self, name):
        """[(instruction, rest)]"""
        text = re.sub(r"^#.*\n", "", text_of("packaging", "containers", name), flags=re.MULTILINE)
        lines = re.sub(r"\\\n", " ", text).splitlines()
        return [line.split(None, 1) for line in lines if line.strip()]

    def test_instructions_options_and_copied_files_exist(self):
        for name in ("Dockerfile.cpu", "Dockerfile.cuda"):
            instructions = self.instructions(name)
            self.assertLessEqual({word for word, _ in instructions}, self.INSTRUCTIONS)
            self.assertEqual([rest.split()[-1] for word, rest in instructions if word == "FROM" and " AS " in rest], ["build"])
            for word, rest in instructions:
                if word == "COPY" and "--from" not in rest:
                    self.assertTrue(os.path.exists(os.path.join(program.SOURCE, rest.split()[0])), rest)
                if word == "RUN":
                    self.assertEqual(subprocess.run(["bash", "-n", "-c", rest], check=False).returncode, 0, rest)
                    for option in re.findall(r"-D(TESSERA_\w+)", rest):
                        self.assertIn(option, cmake_options())
                if word in ("CMD", "ENTRYPOINT"):
                    self.assertRegex(rest, r'^\["[^"]+"(, "[^"]+")*\]$')

    def test_linked_libraries_are_in_the_final_image(self):
        for name in ("Dockerfile.cpu", "Dockerfile.cuda"):
            build, last = (rest for word, rest in self.instructions(name) if word == "RUN" and "apt-get install" in rest)
            for package in ("libboost-program-options-dev", "libhdf5-dev", "nlohmann-json3-dev"):
                self.assertIn(package, build)
                self.assertIn(package, last)


class Documents(unittest.TestCase):
    def test_versions_are_the_same(self):
        self.assertIn(f"\nversion: {version()}\n", text_of("CITATION.cff"))
        self.assertRegex(text_of("CHANGELOG.md"), rf"(?m)^## .*\b{re.escape(version())}$")

    def test_the_citation_has_the_required_fields(self):
        text = text_of("CITATION.cff")
        for key in ("cff-version: 1.2.0", "message: ", "title: ", "authors:"):
            self.assertRegex(text, "(?m)^" + re.escape(key))
        try:
            import yaml
        except ImportError:
            return
        citation = yaml.safe_load(text)
        self.assertEqual(citation["authors"], [{"name": "Tessera contributors"}])
        self.assertEqual(len(citation["references"]), 3)

    def test_bibtex_has_what_the_citation_has(self):
        entries = text_of("docs", "citing.md")
        values = re.findall(r'^ *(?:- )?(?:title|version|doi|url|year|volume|start|family-names): "?(.*?)"?$', text_of("CITATION.cff"), re.MULTILINE)
        self.assertGreater(len(values), 20)
        for value in values:
            self.assertRegex(entries, rf"[{{ ]{re.escape(value)}[,}}]")

    def test_links_of_these_documents_lead_to_files(self):
        for path in ("CHANGELOG.md", "CONTRIBUTING.md", "packaging/README.md"):
            for link in re.findall(r"\]\(([^)#:]+)", text_of(path)):
                self.assertTrue(os.path.exists(os.path.join(program.SOURCE, os.path.dirname(path), link)), link)


class ManPage(unittest.TestCase):
    def test_it_agrees_with_the_help(self):
        tool = os.path.join(program.SOURCE, "tools", "man_page.py")
        page, _ = program.python([tool, program.PROGRAM], program.SOURCE)
        self.assertEqual(text_of("packaging", "man", "tessera.1"), page, "tools/man_page.py PROGRAM > packaging/man/tessera.1")

    def test_it_has_every_option(self):
        page = text_of("packaging", "man", "tessera.1").replace("\\-", "-")
        for method in METHODS:
            part = page.split(f".SH TESSERA {method.upper()}", 1)[1].split("\n.SH", 1)[0]
            options = re.findall(r"^  (--[a-z0-9-]+)", program.run([method, "--help", "all"], program.SOURCE), re.MULTILINE)
            self.assertGreater(len(options), 20)
            self.assertEqual(re.findall(r"^\\fB(--[a-z0-9-]+)", part, re.MULTILINE), options)


class Completion(program.InFolder):
    BASH = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera; printf '%s\\n' "${COMPREPLY[@]}" """
    ZSH = """_TESSERA_FUNCTIONS_ONLY=1; source "$1"; shift; words=("$@"); CURRENT=$#; _tessera_offers"""

    def offers(self, shell, *words, tessera=program.PROGRAM):
        """What is offered for the last word."""
        file, script = {"bash": ("tessera.bash", self.BASH), "zsh": ("_tessera", self.ZSH)}[shell]
        path = os.path.join(program.SOURCE, "packaging", "completions", file)
        quiet = ["-f"] if shell == "zsh" else ["--norc"]
        command = [shell, *quiet, "-c", script, shell, path, tessera, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # zsh itself leaves out what does not begin like the word.
        return {word for word in done.stdout.split() if word.startswith(words[-1])}

    def check(self, shell):
        commands = {line.split()[1] for line in program.run(["--help"], self.folder).splitlines() if line.startswith("  tessera ")}
        self.assertEqual(self.offers(shell, ""), (commands - {"METHOD"}) | {"--help"})
        self.assertEqual(self.offers(shell, "kp"), {"kpz"})
        for method in METHODS:
            options = set(re.findall(r"^  (--[a-z0-9-]+)", program.run([method, "--help", "all"], self.folder), re.MULTILINE))
            self.assertEqual(self.offers(shell, method, "--"), options | {"--help"})
        self.assertEqual(self.offers(shell, "kmc", "--quiet", "--until-t"), {"--until-time"})
        self.assertEqual(self.offers(shell, "kmc", "--model", ""), {"sos", "ising", "potts", "hopping", "kawasaki", "epitaxy", "octahedron"})
        self.assertEqual(self.offers(shell, "disks", "--start", ""), {"lattice", "random"})
        self.assertEqual(self.offers(shell, "kpz", "--size", ""), set())
        # A command that takes a method, and has options of its own.
        more = self.path("more")
        with open(more, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh
case "$1" in
  --help) "{program.PROGRAM}" --help && echo "  tessera many METHOD [options]   several" ;;
  many) echo "  --folder FOLDER   where" ;;
  *) exec "{program.PROGRAM}" "$@" ;;
esac
""")
        os.chmod(more, 0o700)
        self.assertEqual(self.offers(shell, "many", "", tessera=more), set(METHODS))
        self.assertLess({"--folder", "--phi"}, self.offers(shell, "many", "kmc", "--", tessera=more))
        self.assertNotIn("--folder", self.offers(shell, "kmc", "--", tessera=more))

    def test_bash(self):
        self.check("bash")

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        self.check("zsh")


class ModuleFile(program.InFolder):
    # The words of module files, each printed with what it is given.
    WORDS = """
proc module-whatis {text} {}
proc conflict {name} {}
foreach word {prepend-path setenv} { proc $word {args} "puts \\"$word \\$args\\"" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
"""

    @unittest.skipUnless(shutil.which("tclsh"), "no tclsh (Debian: tcl)")
    def test_it_finds_the_installation(self):
        program.write(self.path("words.tcl"), self.WORDS)
        text = text_of("packaging", "modulefiles", "tessera.tcl.in")
        values = {"PROJECT_VERSION": version(), "CMAKE_INSTALL_BINDIR": "bin", "CMAKE_INSTALL_MANDIR": "share/man"}
        for name, value in {**values, "TESSERA_INSTALL_PYTHONDIR": "lib/python"}.items():
            self.assertIn(f"@{name}@", text)
            text = text.replace(f"@{name}@", value)
        self.assertNotIn("@", text)
        path = self.path(os.path.join("prefix", "share", "modulefiles", "tessera", version()))
        os.makedirs(os.path.dirname(path))
        program.write(path, text)
        command = ["tclsh", self.path("words.tcl"), path]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        prefix = os.path.realpath(self.path("prefix"))
        self.assertEqual(
            [line.replace(self.path("prefix"), prefix) for line in said],
            [
                f"prepend-path PATH {prefix}/bin",
                f"prepend-path MANPATH {prefix}/share/man",
                f"prepend-path CMAKE_PREFIX_PATH {prefix}",
                f"prepend-path PYTHONPATH {prefix}/lib/python",
                f"setenv tessera_ROOT {prefix}",
            ],
        )
