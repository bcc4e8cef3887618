"""How long `import mdw` and `mdw --help` take, in fresh processes.

Claims: `import mdw` under 0.05 s, `mdw --help` under 0.5 s. The ratio is seconds against the claim.

Needs the core of mdw, 1 GB of memory and less than 1 minute.
"""

from __future__ import annotations

import subprocess
import sys

from measuring import Measure, arguments, best, report

COMMANDS = {
    "python -c pass": ("-c", "pass", None),
    "import mdw": ("-c", "import mdw", 0.05),
    "mdw --help": ("-m", "mdw", 0.5),
}


def main() -> None:
    options = arguments(__doc__)
    measures = []
    for name, (flag, argument, limit) in COMMANDS.items():
        command = [sys.executable, flag, argument, *(["--help"] if flag == "-m" else [])]
        seconds, _ = best(lambda command=command: subprocess.run(command, check=True, capture_output=True), 5)  # type: ignore[misc]
        ratio = seconds / limit if limit else None
        measures.append(Measure(name, seconds, "", ratio, 1 if limit else None, f"{limit} s" if limit else ""))
    report("Start-up", measures, options.json)


if __name__ == "__main__":
    main()
