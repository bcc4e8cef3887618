"""What a business user waits for: an attribute's page and the lineage of 500 candidates, of a large store.

Attributes are asked for in turn, more of them than a reader keeps answers of; "again" is the same one once more.

Claims: 95 of 100 attribute pages, and answers of the API, within 150 ms; the first picture in the browser within 1 s.
The ratios are seconds against these limits.

Needs the core of mdw, 2 GB of memory, as much disk for temporary files and about 20 minutes. Where Chromium, its
driver and Selenium (extra ``test``) are found, the first picture in the browser is measured too.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.request import urlopen

from measuring import Measure, arguments, report
from serve import serving

from generator import Shape, warehouse  # isort: skip
from serving import free_port  # isort: skip
from mdw import Warehouse  # isort: skip


def late(run: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and 95th percentile of so many runs, in seconds."""
    found = []
    for _ in range(times):
        start = perf_counter()
        run()
        found.append(perf_counter() - start)
    found.sort()
    return found[len(found) // 2], found[int(len(found) * 0.95)]


def read(address: str) -> bytes:
    with urlopen(address, timeout=60) as found:
        content: bytes = found.read()
        return content


def picture(address: str) -> float:
    """Seconds until the browser has drawn a page, the best of three."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        seconds = []
        for _ in range(3):
            browser.get(address)
            ended = browser.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
            seconds.append(ended / 1000)
        return min(seconds)
    finally:
        browser.quit()


def main() -> None:
    options = arguments(
        __doc__,
        steps=(int, 1_000_000, "steps of the part that is not asked for"),
        times=(int, 100, "requests of a kind"),
    )
    shape = Shape(width=7, distractors=options.steps)
    with TemporaryDirectory() as temporary:
        file, store = Path(temporary, "warehouse.map"), Path(temporary, "store")
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(warehouse(1, shape))
        with Warehouse(store) as loaded:
            loaded.load(file).raise_for_errors()
        port = free_port()
        command = [sys.executable, "-m", "mdw", "serve", "--store", str(store), "--port", str(port), "--quiet"]
        with serving([*command, "--timeout", "600"], port):
            root = f"http://127.0.0.1:{port}"
            top = shape.asked.partition("_")[0]
            asked = [f"{top}_{place}.P0" for place in range(shape.width)]
            size = len(read(f"{root}/api/lineage/{shape.asked}"))
            amount = f"{size:,} bytes, {shape.steps} candidates among {options.steps:,} steps"
            for _ in range(8):  # every worker has answered once
                read(f"{root}/api/lineage/{shape.asked}")
            measures = []
            for what, path, names in (
                ("attribute page", "attribute", asked),
                ("lineage, API", "api/lineage", asked),
                ("lineage, page", "lineage", asked),
                ("lineage, page again", "lineage", asked[:1]),
            ):
                turns = cycle(names)
                middle, slow = late(lambda p=path, t=turns: read(f"{root}/{p}/{next(t)}"), options.times)  # type: ignore[misc]
                measures.append(Measure(f"{what}, median", middle, amount))
                limit = None if "lineage, page" in what else 1  # a page is held to the first picture
                measures.append(Measure(f"{what}, 95 of 100", slow, "", slow / 0.15, limit, "150 ms"))
            if shutil.which("chromedriver") and shutil.which("chromium") and find_spec("selenium"):
                seconds = picture(f"{root}/lineage/{shape.asked}")
                measures.append(Measure("first picture in the browser", seconds, "", seconds, 1, "1 s"))
    report("Pages", measures, options.json)


if __name__ == "__main__":
    main()
