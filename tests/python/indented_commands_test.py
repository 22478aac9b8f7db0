# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Commands that the documents indent, which need a network, a GPU, Spack or half an hour of building: those of `tessera` are
run, of the others every option, preset, target, folder and name is looked up where it must be known."""

import json
import os
import re
import unittest

import program
from documents import Shell, below, documents, exists, prose_of, text_of

OF_CMAKE = "-S -B --build --install --parallel --target --workflow --preset -DCMAKE_BUILD_TYPE -DCMAKE_INSTALL_PREFIX -DCMAKE_CXX_COMPILER".split()
OF_CTEST = "--preset --test-dir -R -L -LE".split()
RECIPE = "spack/repo/spack_repo/tessera/packages/tessera/package.py"


def commands_of(document):
    """Indented lines, which a backslash continues, and commands in back quotes; a line `key = value` or of a formula is none."""
    text = re.sub(r"\\\n *", "", prose_of(document))
    for line in text.splitlines():
        if line.startswith("    ") and " = " not in line:
            yield line[4:]
        else:
            yield from (found for found in re.findall(r"`((?:\./quickstart|ctest|cmake|spack|pip) [^`]*)`", line) if "..." not in found)


def words_of(command):
    """The words of a command without the settings of variables before it, the comment and the quotes."""
    words = re.sub(" +# .*| *>.*|'", "", command).split()
    while re.fullmatch("[A-Z_]+=.*", words[0]):
        words = words[1:]
    return words


def after(words, *options):
    """The words after these options."""
    return [word for option, word in zip(words, words[1:]) if option in options]


def options_of(words):
    found = (re.fullmatch("(--[A-Za-z_-]+|-D[A-Za-z_]+|-[A-Z]+)(=.*)?", word) for word in words)
    return [match[1] for match in found if match]


class IndentedCommands(unittest.TestCase):
    def expect_in(self, text, *files):
        self.assertTrue(any(text in text_of(file) for file in files), f"{text}: in none of {files}")

    def expect_preset(self, kind, words):
        presets = [preset["name"] for preset in json.loads(text_of("CMakePresets.json"))[kind]]
        for name in after(words, "--preset"):
            self.assertIn(name, presets)

    def expect_success(self, call):
        status, output = Shell(self).bash(call)
        self.assertEqual(status, 0, output)

    def check_cmake(self, words):
        for option in options_of(words):
            if option.startswith("-DTESSERA_"):
                self.assertRegex(text_of("CMakeLists.txt"), rf"(option|set)\({option[2:]} ")
            elif option.endswith("_ROOT"):
                self.assertIn("find_package(" + option[2:-5], text_of("cmake/TesseraDependencies.cmake") + "find_package(tessera")
            else:
                self.assertIn(option, OF_CMAKE)
        self.expect_preset("workflowPresets" if words[1] == "--workflow" else "configurePresets", words)
        for target in after(words, "--target"):
            places = {"perf/CMakeLists.txt": f"  {target}\n", "cmake/TesseraDoc.cmake": f"({target} ", "tests/fuzz/CMakeLists.txt": f"  {target.split('_')[-1]}\n"}
            self.assertTrue(any(text in text_of(file) for file, text in places.items()), target)

    def check_ctest(self, words):
        self.assertLessEqual(set(options_of(words)), set(OF_CTEST))
        self.expect_preset("testPresets", words)
        for label in after(words, "-L", "-LE"):
            self.expect_in(f"set(label {label})", "tests/TesseraTest.cmake")
        for name in after(words, "-R"):
            if name not in ("OpenMP", "Serial", "Cuda"):  # of typed tests
                self.expect_in(name, *below("tests", ".cpp"))

    def check_spack(self, words):
        command = words[1]
        if command in ("env", "repo"):
            self.assertTrue(exists(f"{words[3]}/{'spack' if command == 'env' else 'repo'}.yaml"), words[3])
        elif command == "mirror":
            self.assertIn(words[2], ("add", "create"))
        elif command == "bootstrap":
            self.assertEqual(words[2], "mirror")
        elif command == "external":
            self.expect_in(f"\n    {words[3]}:\n", "spack/mpi/spack.yaml")
        else:
            self.assertIn(command, ("install", "load", "test", "dev-build"))
            self.assertTrue(len(words) == 2 or "tessera" in [word.split("@")[0] for word in words])
            for word in words:
                if word.startswith("+") and word not in ("+cuda", "+rocm"):
                    self.expect_in(f'"{word[1:]}", default=', RECIPE)

    def check_pip(self, words):
        self.assertEqual(words[1], "install")
        self.assertTrue(exists(words[-1] + "/pyproject.toml"), words[-1])

    def check_python(self, words):
        """python3 -m venv ... or -m pip ..., which install_test.py runs."""
        self.assertEqual(words[1], "-m")
        self.expect_in("-m " + words[2], "tests/python/install_test.py")
        if words[2] == "pip":
            self.check_pip(words[2:])

    def check_installed_script(self, words):
        self.expect_in(os.path.basename(words[0]) + " = ", "python/pyproject.toml")

    def check_export(self, words):
        """A folder of Tessera's."""
        _, here, folder = words[1].partition("=$PWD/")
        self.assertTrue(here and os.path.isdir(os.path.join(program.SOURCE, folder)), words[1])

    def check_module(self, words):
        """What CMake installs."""
        self.assertIn(words[1], ("use", "load"))
        self.expect_in("/modulefiles/tessera", "CMakeLists.txt")

    def check_apt(self, words):
        self.assertEqual(words[1], "install")
        for word in words[2:]:
            self.expect_in(word, "tools/quickstart/debian.sh")

    def check_tessera_perf(self, words):
        for option in options_of(words):
            if not option.startswith("--benchmark_"):
                self.assertRegex(text_of("perf/options.cpp"), f'"{option}=?"')

    def check_script(self, words):
        """What follows -- is for tessera_perf."""
        rest = words.index("--") if "--" in words else len(words)
        for option in options_of(words[:rest]):
            self.expect_in(f'"{option}"', words[0])
        self.check_tessera_perf(words[rest + 1 :])

    def check_launcher(self, words):
        """What mpirun or srun starts, as one process: the tests of ranks start several."""
        self.expect_success(" ".join(words[words.index("tessera") :]))

    def check_quickstart(self, words):
        if len(words) == 1:
            return
        self.expect_in("\n./quickstart " + words[1], "quickstart")
        rest = " ".join(words[2:])
        if words[1] == "mpirun":
            self.check_launcher(words)
        elif words[1] == "tessera" and rest:
            self.expect_success("tessera " + rest)
        elif words[1] == "reproduce":
            self.expect_success(f"python3 -m tessera_reproduce {rest} --cost")

    def check_user_program(self, words):
        line = re.sub("^(target_link_libraries.*? |build/)", "", " ".join(words))
        self.expect_in(line, "tests/install/user_program/CMakeLists.txt")

    CHECKS = {
        "cmake": check_cmake,
        "ctest": check_ctest,
        "spack": check_spack,
        "$HOME/tessera-python/bin/pip": check_pip,
        "$HOME/tessera-python/bin/tessera-plot": check_installed_script,
        "$HOME/.local/bin/tessera-plot": check_installed_script,
        "module": check_module,
        "python3": check_python,
        "export": check_export,
        "apt-get": check_apt,
        "mpirun": check_launcher,
        "srun": check_launcher,
        "tessera_perf": check_tessera_perf,
        "build/tessera_perf": check_tessera_perf,
        "perf/amd_kernels.py": check_script,
        "perf/compare.py": check_script,
        "perf/roofline.py": check_script,
        "perf/summary.py": check_script,
        "./quickstart": check_quickstart,
        "build/lattice_gas": check_user_program,
        "find_package(tessera": check_user_program,
        "target_link_libraries(my_program": check_user_program,
    }

    def test_they_name_existing_files_and_options(self):
        checked = 0
        for document in [*documents(), "perf/README.md"]:
            for command in commands_of(document):
                with self.subTest(f"{document}: {command}"):
                    words = words_of(command)
                    self.assertIn(words[0], self.CHECKS, "no test knows this command")
                    self.CHECKS[words[0]](self, words)
                checked += 1
        self.assertGreater(checked, 40)


if __name__ == "__main__":
    unittest.main()
