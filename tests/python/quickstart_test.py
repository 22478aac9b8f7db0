# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""quickstart with stand-ins for what sets up, builds and tests: who waits for whom, and when a root file system is made."""

import contextlib
import fcntl
import glob
import os
import re
import shutil
import subprocess
import time
import unittest

import program

SOURCE = os.environ["TESSERA_SOURCE"]

# A build begins, and ends when a file allows it; all is written down.
INSIDE = """#!/usr/bin/env bash
case "$1 $2" in
  "cmake --build")
    echo "begin ${3##*/}" >>"$LOG"
    until [[ -e $3.may-end ]]; do sleep 0.02; done
    echo "end ${3##*/}" >>"$LOG"
    ;;
  "cmake -S") echo "configure ${5##*/}" >>"$LOG" ;;
  "env TESSERA="*) exec "$@" ;;
  *) echo "$1" >>"$LOG" && echo "tests passed" ;;
esac
"""
KOKKOS = """
way_kokkos_is_set_up() { [[ -e $state/kokkos-found ]]; }
way_kokkos_set_up() { touch "$state/kokkos-found"; }
way_kokkos_inside() { "$repository/inside" "$@"; }
way_kokkos_exec() { shift && echo "tessera $*${TESSERA_PLOT:+ by $TESSERA_PYTHON, drawn by $TESSERA_PLOT}"; }
"""
TOOLS = {
    "apt-config": "",
    "apt-get": """[[ $* != *--print-uris* ]] || echo "'http://mirror/debian/dists/unstable/InRelease' x 0" """,
    "apt-helper": r"""printf 'Origin: Debian\nSuite: unstable\nDate: %s\n' "$SNAPSHOT" >"${@: -1}" """,
    "awk": "exec cat",
    "bwrap": 'while (($#)) && [[ $1 != -- ]]; do shift; done; (($# == 0)) || { shift && exec "$INSIDE" "$@"; }',
    "mmdebstrap": """
for word in "$@"; do [[ $word != --include=* ]] || echo "packages ${word#*=}" >>"$LOG"; done
root=${@: -2:1}
mkdir -p "$root/usr/lib64" "$root/usr/lib/a-linux-gnu" "$root/etc"
touch "$root/usr/lib/a-linux-gnu/libkokkoscore.so"
printf '#!/usr/bin/env bash\\necho "tessera ${*:6}"\\n' >"$root/usr/lib64/ld-linux-a.so.2"
chmod +x "$root/usr/lib64/ld-linux-a.so.2"
""",
}


@unittest.skipUnless(shutil.which("flock"), "this machine has no flock (Debian: util-linux)")
class Quickstart(program.InEmptyFolder):
    way = "kokkos"

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(SOURCE, "quickstart"), self.folder)
        shutil.copytree(os.path.join(SOURCE, "tools"), self.path("tools"))
        self.program("inside", INSIDE)
        program.write(self.path("tools/quickstart/kokkos.sh"), KOKKOS)
        self.state = self.path(".quickstart")
        os.makedirs(self.state)
        open(self.path("log"), "w", encoding="utf-8").close()

    def program(self, name, text):
        program.write(self.path(name), text)
        os.chmod(self.path(name), 0o755)

    def log(self):
        return program.read(self.path("log")).splitlines()

    def let_end(self, *folders):
        for name in folders:
            open(os.path.join(self.state, name + ".may-end"), "w", encoding="utf-8").close()

    def start(self, *words, **environment):
        environment = {
            **os.environ,
            "TESSERA_QUICKSTART_METHOD": self.way,
            "LOG": self.path("log"),
            "INSIDE": self.path("inside"),
            "PATH": self.path("bin") + ":" + os.environ["PATH"],
            "SNAPSHOT": "today",
            **environment,
        }
        process = subprocess.Popen(
            [self.path("quickstart"), *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def run_to_end(self, *words, **environment):
        process = self.start(*words, **environment)
        out, err = process.communicate(timeout=250)
        self.assertEqual(process.returncode, 0, err)
        return out, err

    def wait_for(self, line):
        while line not in self.log():
            time.sleep(0.02)


class Ranks(Quickstart):
    def test_ranks_run_the_program_that_was_built(self):
        os.makedirs(self.path("bin"))
        self.let_end("build-kokkos")
        for version, more in (("mpirun (Open MPI) 5.0", "--oversubscribe, "), ("HYDRA build details", "")):
            told = 'printf "%s, " "$@"; echo "in ${PATH%%:*} ${OMPI_ALLOW_RUN_AS_ROOT:-}"'
            self.program("bin/mpirun", f'#!/usr/bin/env bash\n[[ $* != --version ]] || exec echo "{version}"\n{told}\n')
            words = ("mpirun", "-n", "3", "tessera", "kmc", "--start", "a file")
            out = self.run_to_end(*words, OMPI_ALLOW_RUN_AS_ROOT="")[0]
            build = self.path(".quickstart/build-kokkos")
            root = "1" if os.geteuid() == 0 else ""
            self.assertEqual(out, f"{more}-n, 3, tessera, kmc, --start, a file, in {build} {root}\n")
        self.assertIn("end build-kokkos", self.log())


class Shell(Quickstart):
    def test_commands_find_tessera_and_what_it_is_built_with(self):
        self.let_end("build-kokkos")
        told = 'echo "$TESSERA, $TESSERA_PROGRAM, ${PYTHONPATH%%:*}, ${PATH%%:*}, $1"'
        out = self.run_to_end("shell", "bash", "-c", told, "name", "a word")[0]
        build = self.path(".quickstart/build-kokkos")
        self.assertEqual(out, f"{self.folder}, {build}/tessera, {self.path('python')}, {build}, a word\n")
        self.assertIn("end build-kokkos", self.log())

    def test_what_a_machine_lacks_is_named(self):
        self.let_end("build-kokkos")
        os.makedirs(self.path("bin"))
        self.program("bin/ffmpeg", "#!/bin/sh\n")
        self.assertEqual(self.run_to_end("shell", "--with", "ffmpeg", "echo", "a word")[0], "a word\n")
        for words, said in (
            (("--with", "jupiter", "true"), "--with 'jupiter': may be jupyter, ffmpeg or jupyter,ffmpeg"),
            (("--with",), "--with '': may be"),
            (("--with", "ffmpeg,jupyter", "true"), "--with jupyter: there is no jupyter here"),
        ):
            process = self.start("shell", *words, PATH=self.path("bin") + ":" + self.without("jupyter"))
            self.assertIn(said, process.communicate(timeout=60)[1])
            self.assertEqual(process.returncode, 1)

    def without(self, name):
        """The folders of PATH that do not have a program."""
        return ":".join(place for place in os.environ["PATH"].split(":") if not os.path.exists(os.path.join(place, name)))


class Modules(Quickstart):
    def test_a_missing_backend_of_matplotlib_is_harmless(self):
        """A kernel of Jupyter names its own one to all that it starts."""
        self.let_end("build-kokkos")
        os.makedirs(self.path("bin"))
        # Stand-in for a Python with h5py and Matplotlib, which is not imported with a backend that it does not know.
        self.program("bin/python3", '#!/usr/bin/env bash\n[[ $MPLBACKEND == agg ]] && echo "$*" >>"$LOG"\n')
        self.program("inside", INSIDE.replace("*) echo", '"env MPLBACKEND=agg") exec "$@" ;;\n  *) echo'))
        for words, module in ((("plot", "a.h5"), "tessera_io.plot a.h5"), (("reproduce", "kpz-exact"), "tessera_reproduce kpz-exact")):
            self.run_to_end(*words, MPLBACKEND="module://matplotlib_inline.backend_inline")
            self.assertIn(f"-m {module}", self.log()[-1])


class Sweep(Quickstart):
    def test_a_sweep_ends_with_its_plot(self):
        self.let_end("build-kokkos")
        out = self.run_to_end("tessera", "sweep", "kmc")[0]
        self.assertEqual(out, f"tessera sweep kmc by python3, drawn by {self.path('quickstart')} plot\n")


class Tests(Quickstart):
    def test_long_tests_have_the_program_as_users_have_it(self):
        self.let_end("build-kokkos-test", "build-kokkos-test-long")
        for words, name, level in ((("test",), "build-kokkos-test", True), (("test", "long"), "build-kokkos-test-long", False)):
            self.run_to_end(*words)
            self.assertEqual("-O1" in program.read(os.path.join(self.state, name, "configured")), level)


class Locks(Quickstart):
    def test_the_program_does_not_wait_for_the_tests_to_be_built(self):
        tests = self.start("test")
        self.wait_for("begin build-kokkos-test")
        self.let_end("build-kokkos")
        self.assertEqual(self.run_to_end("tessera", "info")[0], "tessera info\n")
        self.assertEqual([line for line in self.log() if line.startswith("end")], ["end build-kokkos"])
        self.let_end("build-kokkos-test")
        self.assertEqual(tests.wait(), 0)
        self.assertEqual(self.log()[-2:], ["end build-kokkos-test", "env"])

    def test_two_builds_in_one_folder_run_in_turn(self):
        first = self.start("tessera", "1")
        self.wait_for("begin build-kokkos")
        second = self.start("tessera", "2")
        self.assertIn("waiting for another quickstart to finish building in .quickstart/build-kokkos", second.stderr.readline())
        self.let_end("build-kokkos")
        self.assertEqual((first.wait(), second.wait()), (0, 0))
        self.assertEqual(self.log(), ["configure build-kokkos", *["begin build-kokkos", "end build-kokkos"] * 2])

    def test_concurrent_commands_do_not_wait_if_everything_is_built(self):
        self.let_end("build-kokkos")
        self.run_to_end("tessera", "info")
        os.makedirs(self.path("src"))
        with contextlib.ExitStack() as files:
            for name in ("lock", "build-kokkos.lock"):
                fcntl.flock(files.enter_context(open(os.path.join(self.state, name), "w", encoding="utf-8")), fcntl.LOCK_EX)
            os.utime(self.path("src"), (1, 1))
            out, err = self.run_to_end("tessera", "info")
            self.assertEqual((out, err, self.log().count("end build-kokkos")), ("tessera info\n", "", 1))
            os.utime(self.path("src"))
            waiting = self.start("tessera", "info")
            self.assertIn("waiting for another quickstart to finish building in .quickstart/build-kokkos", waiting.stderr.readline())
        self.assertEqual(waiting.wait(), 0)
        self.assertEqual(self.log().count("end build-kokkos"), 2)

    def test_concurrent_set_ups_exclude_each_other(self):
        self.let_end("build-kokkos")
        with open(os.path.join(self.state, "lock"), "w", encoding="utf-8") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            waiting = self.start("tessera", "info")
            self.assertIn("waiting for another quickstart to finish setting up", waiting.stderr.readline())
            self.assertEqual(self.log(), [])
        self.assertEqual(waiting.wait(), 0)


class Spack(Quickstart):
    """Kokkos installs nvcc_wrapper with CUDA and without."""

    way = "spack"
    SPACK = """#!/usr/bin/env bash
[[ $3 == install ]] || exit 0
mkdir -p "$2/.spack-env/view/bin"
install -m 755 /dev/null "$2/.spack-env/view/bin/nvcc_wrapper"
"""
    CMAKE = """#!/usr/bin/env bash
echo "$*" >>"$LOG"
[[ $1 != -S ]] || { printf '#!/usr/bin/env bash\necho "tessera $*"\n' >"$4/tessera" && chmod +x "$4/tessera"; }
"""

    def environment_of(self, capability):
        """The environment that Spack installs, on a machine whose GPU nvidia-smi tells or cannot find."""
        shutil.copy(os.path.join(SOURCE, "spack.yaml"), self.folder)
        shutil.copytree(os.path.join(SOURCE, "spack"), self.path("spack"))
        os.makedirs(self.path("bin"))
        self.program("bin/spack", self.SPACK)
        self.program("bin/cmake", self.CMAKE)
        self.program("bin/nvcc", "#!/usr/bin/env bash\n")
        self.program("bin/nvidia-smi", f"#!/usr/bin/env bash\n{capability}\n")
        self.assertEqual(self.run_to_end("tessera", "info")[0], "tessera info\n")
        return program.read(os.path.join(self.state, "spack", "spack.yaml"))

    def test_a_cpu_build_uses_the_default_compiler(self):
        environment = self.environment_of('echo "no devices were found" && exit 6')
        self.assertEqual(environment, program.read(os.path.join(SOURCE, "spack", "cpu", "spack.yaml")))
        self.assertNotIn("CMAKE_CXX_COMPILER", self.log()[0])

    def test_a_gpu_build_uses_the_compiler_of_kokkos_and_the_architecture_of_the_gpu(self):
        environment = self.environment_of("echo 8.0")
        self.assertIn("cuda_arch=80", environment)
        self.assertNotIn("cuda_arch=90", environment)
        self.assertIn("-DCMAKE_CXX_COMPILER=" + os.path.join(self.state, "spack/.spack-env/view/bin/nvcc_wrapper"), self.log()[0])


class DebianRoot(Quickstart):
    way = "debian"

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        for name, text in TOOLS.items():
            self.program("bin/" + name, "#!/usr/bin/env bash\n" + text)
        text = program.read(self.path("tools/quickstart/debian.sh"))
        for name in ("/usr/lib/apt/apt-helper", "/etc/debian_version"):
            self.assertIn(name, text)
        text = text.replace("/usr/lib/apt/apt-helper", "apt-helper").replace("/etc/debian_version", self.path("inside"))
        program.write(self.path("tools/quickstart/debian.sh"), text)
        self.let_end("build-debian", "build-debian-test", "build-debian-test-long")

    def packages(self):
        """Those of each root that was made."""
        return [set(line.split()[1].split(",")) for line in self.log() if line.startswith("packages ")]

    def test_a_root_is_made_once_and_extended_for_the_tests(self):
        for _ in range(2):
            self.assertEqual(self.run_to_end("tessera", "info")[0], "tessera info\n")
        self.assertEqual(len(self.packages()), 1)
        self.assertIn("libkokkos-dev", self.packages()[0])
        self.assertNotIn("python3-pip", self.packages()[0])
        for words in (("test",), ("tessera", "info"), ("test", "long"), ("test",)):
            self.run_to_end(*words)
        self.assertEqual(len(self.packages()), 3)
        self.assertLess(self.packages()[0] | {"python3-pip", "python3-mdanalysis"}, self.packages()[1] | {""})
        self.assertEqual(self.packages()[2] - self.packages()[1], {"clang", "hipcc", "libomp-dev", "python3-vtk9"})
        self.assertEqual(self.log().count("configure build-debian"), 1, "with the same versions of all packages")

    def test_a_root_gets_the_requested_packages_and_keeps_the_others(self):
        for name in ("jupyter", "ffmpeg"):
            self.program("bin/" + name, "#!/bin/sh\n")
        for words in ("shell --with jupyter true", "test", "shell --with ffmpeg true", "shell --with ffmpeg,jupyter true", "shell true"):
            self.run_to_end(*words.split())
        first, second, third = self.packages()
        self.assertIn("jupyter-notebook", first)
        self.assertEqual({"jupyter-notebook", "python3-pip", "ffmpeg"} & first, {"jupyter-notebook"})
        self.assertEqual({"jupyter-notebook", "python3-pip", "ffmpeg"} & second, {"jupyter-notebook", "python3-pip"})
        self.assertEqual(third, second | {"ffmpeg"})

    def test_a_sweep_uses_the_python_of_the_root(self):
        self.assertEqual(self.run_to_end("tessera", "sweep", "kmc")[0], "tessera sweep kmc\n")
        python = subprocess.run([os.path.join(self.state, "python3"), "-c", "a word"], capture_output=True, text=True, check=True)
        self.assertEqual(python.stdout, "tessera -c a word\n")

    def test_a_root_of_an_older_list_is_replaced(self):
        self.run_to_end("tessera", "info")
        os.remove(os.path.join(self.state, "root", "packages"))
        self.run_to_end("tessera", "info")
        self.assertEqual(len(self.packages()), 2)

    def test_other_versions_of_packages_are_used(self):
        self.run_to_end("tessera", "info")
        self.run_to_end("test", SNAPSHOT="tomorrow")
        self.run_to_end("tessera", "info", SNAPSHOT="tomorrow")
        self.assertEqual(self.log().count("configure build-debian"), 2)

    def test_a_root_in_use_is_kept(self):
        self.run_to_end("tessera", "info")
        with open(os.path.join(self.state, "root", "in-use"), encoding="utf-8") as user:
            fcntl.flock(user, fcntl.LOCK_SH)
            for words in (("test",), ("tessera", "info")):
                self.run_to_end(*words)
                self.assertEqual(len(glob.glob(self.state + "/root.old.*")), 1)
        self.run_to_end("tessera", "info")
        self.assertEqual(glob.glob(self.state + "/root.old.*"), [])

    def test_other_compilers_read_the_sources(self):
        path = self.path("tools/quickstart/debian.sh")
        text = program.read(path)
        program.write(path, re.sub(r"(?<!machine)/usr/bin/g\+\+", self.path("bin/g++"), text))
        for version in (12, 10):
            self.program("bin/g++", f"#!/bin/sh\necho {version}\n")
            err = self.run_to_end("test", "long")[1]
            with open(os.path.join(self.state, "build-debian-test-long", "configured"), encoding="utf-8") as file:
                compilers = file.read().partition("-DTESSERA_OTHER_COMPILERS=")[2].split()[0].split(";")
            own = [os.path.join(self.state, "machine/usr/bin/g++")] if version == 12 else []
            self.assertEqual(compilers, [*own, "/usr/bin/clang++"])
            self.assertEqual("no other g++ is available" in err, version == 10)

    def test_without_package_sources_the_existing_root_is_used(self):
        self.run_to_end("tessera", "info")
        self.program("bin/apt-get", "#!/bin/sh\n")
        _, err = self.run_to_end("test")
        self.assertIn("tests that need what the root file system lacks are skipped", err)
        self.assertEqual(len(self.packages()), 1)


if __name__ == "__main__":
    unittest.main()
