# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Python processes that have the modules of others when they start, since to load these takes longer than most scripts do:
children of a process that has none of Tessera's, with its PYTHONPATH. `python3 -SE preloaded.py SOCKET ARGUMENTS...` does `python3 ARGUMENTS...`."""

import os
import socket
import sys

MODULES = ("h5py", "matplotlib.pyplot", "matplotlib.backends.backend_agg", "scipy.optimize", "scipy.special", "scipy.stats")


def call(path, words):
    """The exit status of a child with these words, with the files, the folder and the environment of this process."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [b" "], [0, 1, 2])
        connection.sendall("\0".join([os.getcwd(), *(f"{name}={value}" for name, value in os.environ.items()), "", *words]).encode())
        connection.shutdown(socket.SHUT_WR)
        return int(connection.recv(10) or 1)  # nothing from a child that a signal ended


def start(path):
    """Starts the process at this path of a socket."""
    import subprocess

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        return subprocess.Popen([sys.executable, __file__, "--serve", str(listener.fileno())], pass_fds=[listener.fileno()])


def serve(listener):
    import importlib.util

    del sys.path[0]  # the tests
    for module in MODULES:
        if importlib.util.find_spec(module.partition(".")[0]):
            importlib.import_module(module)
    children = 0
    while True:
        connection, _ = listener.accept()
        while children and os.waitpid(-1, os.WNOHANG)[0]:
            children -= 1
        children += 1
        if os.fork() == 0:
            listener.close()
            status = run(connection)
            connection.sendall(b"%d" % status)
            os._exit(0)
        connection.close()


def run(connection):
    """The exit status of `python3 -m MODULE ...` or `python3 SCRIPT ...` as the connection has it."""
    import atexit
    import runpy
    import traceback

    for number, file in enumerate(socket.recv_fds(connection, 1, 3)[1]):
        os.dup2(file, number)
        os.close(file)
    of_caller, _, words = connection.makefile().read().partition("\0\0")
    folder, *variables = of_caller.split("\0")
    words = words.split("\0")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variable.split("=", 1) for variable in variables)
    first = folder if words[0] == "-m" else os.path.dirname(os.path.abspath(words[0]))
    sys.path.insert(0, first)
    sys.argv = words[1:] if words[0] == "-m" else words
    status = 1
    try:
        if words[0] == "-m":
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(socket.socket(fileno=int(sys.argv[2])))
    sys.exit(call(sys.argv[1], sys.argv[2:]))
