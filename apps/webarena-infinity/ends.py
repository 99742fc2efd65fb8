"""Prints what an app of WebArena-Infinity itself says of its states, without its server, the network and changes of files.

  ends.py <folder of an app> ends      {"seed"}, then for each task {"task", "end"}: the right end of its own sanity check
  ends.py <folder of an app> verdicts  for each line {"task", "state"} of the input {"accepted"}: the verdict of the verifier
"""

import copy
import importlib.util
import json
import os
import sys
import types

SANITY_CHECKS = ["sanity_check_real.py", "sanity_check.py"]
SEEDS = ["generate_seed_state", "load_seed_state", "get_seed_state"]
SOLVERS = ["SOLVERS", "SOLVE_MAP"]
BARRED = ["socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "os.system", "os.remove", "os.rename"]


def bar(event, args):
    """Allows reading, and Node, by which a sanity check reads the seed."""
    if event in BARRED:
        raise PermissionError(event)
    if event == "open" and any(letter in str(args[1] or "") for letter in "wax+"):
        raise PermissionError(f"open {args[0]}")
    if event == "subprocess.Popen" and os.path.basename(str(args[0])) != "node":
        raise PermissionError(f"start {args[0]}")


class Reply:
    status_code = 200

    def __init__(self, state):
        self.json = lambda: state


def load(file, name):
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def first(owner, names):
    return next(getattr(owner, name) for name in names if hasattr(owner, name))


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")


def tell_ends(folder):
    files = [os.path.join(folder, name) for name in SANITY_CHECKS]
    solving = [load(file, f"check_{at}") for at, file in enumerate(files) if os.path.exists(file)]
    check = next(each for each in solving if any(hasattr(each, name) for name in SOLVERS))
    seed = first(check, SEEDS)()
    say({"seed": seed})
    for task, solve in first(check, SOLVERS).items():
        state = copy.deepcopy(seed)
        solve(state)
        say({"task": task, "end": state})


def tell_verdicts(folder, requests):
    verifiers = {}
    for line in sys.stdin:
        given = json.loads(line)
        task = given["task"]
        if task not in verifiers:
            verifiers[task] = load(os.path.join(folder, "real-tasks", f"{task}.py"), task).verify
        requests.get = lambda *_, **__: Reply(given["state"])
        try:
            say({"accepted": bool(verifiers[task]("http://app.invalid")[0])})
        except Exception:
            # Upstream, an error of a verifier is a failed task.
            say({"accepted": False})


if __name__ == "__main__":
    stub = types.ModuleType("requests")
    sys.modules["requests"] = stub
    sys.addaudithook(bar)
    place, what = sys.argv[1:]
    if what == "ends":
        tell_ends(place)
    else:
        tell_verdicts(place, stub)
