# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The recipe for Spack, files for containers, module file, completions, man page, citation: held against the sources."""

import os
import re
import shutil
import subprocess
import sys
import types
import unittest
from unittest import mock

import program

METHODS = ("kmc", "kpz", "disks")


def text_of(*path):
    with open(os.path.join(program.SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r"project\(tessera VERSION (\S+)", text_of("CMakeLists.txt"))[1]


def cmake_options():
    lists = text_of("CMakeLists.txt") + text_of("cmake", "TesseraDependencies.cmake")
    return set(re.findall(r"^(?:option|set)\((TESSERA_\w+)", lists, re.MULTILINE))


class Recipe(unittest.TestCase):
    """package.py, with stand-ins for the words of Spack that it uses."""

    WORDS = ("version", "variant", "depends_on", "conflicts", "requires", "license")

    def load(self):
        """(class, {word: [arguments]})"""
        said = {word: [] for word in self.WORDS}
        package = types.ModuleType("spack.package")
        for word in self.WORDS:
            setattr(package, word, lambda *words, _of=said[word], **more: _of.append((*words, more)))
        package.when = lambda _spec: mock.MagicMock()
        package.join_path = os.path.join
        package.InstallError = type("InstallError", (Exception,), {})
        package.__all__ = [*self.WORDS, "when", "join_path", "InstallError"]
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = type(
            "CMakePackage",
            (),
            {
                "define": staticmethod(lambda name, value: f"-D{name}={value}"),
                "define_from_variant": lambda self, name, variant: f"-D{name}={self.spec.satisfies('+' + variant)}",
            },
        )
        cuda = types.ModuleType("spack_repo.builtin.build_systems.cuda")
        cuda.CudaPackage = type("CudaPackage", (), {"cuda_arch_values": ("80", "90")})
        names = {"spack": types.ModuleType("spack"), "spack.package": package}
        for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
            names[name] = types.ModuleType(name)
        names.update({cmake.__name__: cmake, cuda.__name__: cuda})
        path = os.path.join(program.SOURCE, "spack", "repo", "spack_repo", "tessera", "packages", "tessera", "package.py")
        namespace = {"__name__": "package", "__file__": path}
        with mock.patch.dict(sys.modules, names), open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), namespace)
        return namespace, said

    def arguments(self, *variants):
        namespace, _ = self.load()
        package = namespace["Tessera"].__new__(namespace["Tessera"])
        package.spec = types.SimpleNamespace(satisfies=lambda variant: variant in variants)
        package.stage = types.SimpleNamespace(source_path=program.SOURCE)
        kokkos = types.SimpleNamespace(kokkos_cxx="nvcc_wrapper")
        with mock.patch.object(namespace["Tessera"], "__getitem__", lambda *_: kokkos, create=True):
            return namespace, package.cmake_args()

    def test_it_is_of_the_sources_that_it_lies_in(self):
        namespace, said = self.load()
        self.assertEqual(os.path.realpath(namespace["SOURCE"]), os.path.realpath(program.SOURCE))
        self.assertEqual(namespace["Tessera"].git, "file://" + namespace["SOURCE"])
        self.assertEqual(said["license"][0][0], "BSD-3-Clause")
        repository = text_of("spack", "repo", "spack_repo", "tessera", "repo.yaml")
        self.assertRegex(repository, r"repo:\n  namespace: tessera\n  api: v2\.\d+\n")

    def test_variants_and_dependencies(self):
        _, said = self.load()
        variants = {words[0] for words in said["variant"]}
        self.assertEqual(variants, {"openmp", "kokkos-kernels", "mpi", "tests"})  # cuda and cuda_arch: of CudaPackage
        needed = {re.match(r"[a-z0-9-]+", words[0])[0] for words in said["depends_on"]}
        for name in ("cmake", "kokkos", "kokkos-kernels", "hdf5", "zlib-api", "boost", "googletest", "cuda", "mpi"):
            self.assertIn(name, needed)
        # The oldest versions are those that CMake asks for.
        dependencies = text_of("cmake", "TesseraDependencies.cmake")
        oldest = {
            "kokkos": re.search(r"TESSERA_KOKKOS_MINIMUM ([\d.]+)", dependencies)[1],
            "boost": re.search(r"find_package\(Boost ([\d.]+)", dependencies)[1],
            "googletest": re.search(r"find_package\(GTest ([\d.]+)", dependencies)[1],
            "cmake": re.search(r"cmake_minimum_required\(VERSION ([\d.]+?)\.\.\.", text_of("CMakeLists.txt"))[1],
        }
        for name, least in oldest.items():
            self.assertTrue(any(words[0].startswith(f"{name}@{least}:") for words in said["depends_on"]), (name, least))

    def test_options_of_cmake(self):
        _, plain = self.arguments()
        self.assertEqual(plain[:2], ["-DTESSERA_ENABLE_TESTS=False", "-DTESSERA_REQUIRE_BACKENDS=SERIAL"])
        _, most = self.arguments("+cuda", "+openmp", "+tests", "~kokkos-kernels")
        self.assertIn("-DTESSERA_REQUIRE_BACKENDS=SERIAL;OPENMP;CUDA", most)
        self.assertIn("-DCMAKE_CXX_COMPILER=nvcc_wrapper", most)
        self.assertIn("-DCMAKE_DISABLE_FIND_PACKAGE_KokkosKernels=True", most)
        for option in re.findall(r"-D(TESSERA_\w+)", " ".join(plain + most)):
            self.assertIn(option, cmake_options())

    def test_mpi_where_the_sources_know_it(self):
        if "TESSERA_ENABLE_MPI" in cmake_options():
            self.assertIn("-DTESSERA_ENABLE_MPI=True", self.arguments("+mpi")[1])
        else:
            with self.assertRaisesRegex(Exception, "knows no MPI; install it with ~mpi"):
                self.arguments("+mpi")


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

    def test_what_is_linked_with_is_in_the_last_image(self):
        for name in ("Dockerfile.cpu", "Dockerfile.cuda"):
            build, last = (rest for word, rest in self.instructions(name) if word == "RUN" and "apt-get install" in rest)
            for package in ("libboost-program-options-dev", "libhdf5-dev"):
                self.assertIn(package, build)
                self.assertIn(package, last)


class Documents(unittest.TestCase):
    def test_versions_are_the_same(self):
        self.assertIn(f"\nversion: {version()}\n", text_of("CITATION.cff"))
        self.assertRegex(text_of("CHANGELOG.md"), rf"(?m)^## .*\b{re.escape(version())}$")

    def test_the_citation_has_what_the_format_asks_for(self):
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

    def test_links_of_these_documents_lead_to_files(self):
        for path in ("CHANGELOG.md", "CONTRIBUTING.md", "packaging/README.md"):
            for link in re.findall(r"\]\(([^)#:]+)", text_of(path)):
                self.assertTrue(os.path.exists(os.path.join(program.SOURCE, os.path.dirname(path), link)), link)


class ManPage(unittest.TestCase):
    def test_it_is_what_the_help_says(self):
        tool = os.path.join(program.SOURCE, "tools", "man_page.py")
        page, _ = program.python([tool, program.PROGRAM], program.SOURCE)
        self.assertEqual(text_of("packaging", "man", "tessera.1"), page, "tools/man_page.py PROGRAM > packaging/man/tessera.1")

    def test_it_has_every_option(self):
        page = text_of("packaging", "man", "tessera.1").replace("\\-", "-")
        for method in METHODS:
            part = page.split(f".SH TESSERA {method.upper()}", 1)[1].split("\n.SH", 1)[0]
            options = re.findall(r"^  (--[a-z-]+)", program.run([method, "--help"], program.SOURCE), re.MULTILINE)
            self.assertGreater(len(options), 20)
            self.assertEqual(re.findall(r"^\\fB(--[a-z-]+)", part, re.MULTILINE), options)


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
            options = set(re.findall(r"^  (--[a-z-]+)", program.run([method, "--help"], self.folder), re.MULTILINE))
            self.assertEqual(self.offers(shell, method, "--"), options | {"--help"})
        self.assertEqual(self.offers(shell, "kmc", "--quiet", "--until-t"), {"--until-time"})
        self.assertEqual(self.offers(shell, "kmc", "--model", ""), {"sos", "ising", "potts"})
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
    def test_it_finds_what_it_is_installed_beside(self):
        with open(self.path("words.tcl"), "w", encoding="utf-8") as file:
            file.write(self.WORDS)
        text = text_of("packaging", "modulefiles", "tessera.tcl.in")
        for name, value in (("PROJECT_VERSION", version()), ("CMAKE_INSTALL_BINDIR", "bin"), ("CMAKE_INSTALL_MANDIR", "share/man")):
            self.assertIn(f"@{name}@", text)
            text = text.replace(f"@{name}@", value)
        self.assertNotIn("@", text)
        path = self.path(os.path.join("prefix", "share", "modulefiles", "tessera", version()))
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        command = ["tclsh", self.path("words.tcl"), path]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        prefix = os.path.realpath(self.path("prefix"))
        self.assertEqual(
            [line.replace(self.path("prefix"), prefix) for line in said],
            [
                f"prepend-path PATH {prefix}/bin",
                f"prepend-path MANPATH {prefix}/share/man",
                f"prepend-path CMAKE_PREFIX_PATH {prefix}",
                f"setenv tessera_ROOT {prefix}",
            ],
        )
