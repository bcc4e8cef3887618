"""Jobs go through the pipe to the workers as they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdw.server.workers import jobs
from mdw.server.workers.jobs import AskWarehouse, Job, Order


def kinds(of: type[Job] = Job) -> Iterator[type[Job]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_job_can_be_written() -> None:
    assert set(kinds()) - {AskWarehouse} == set(jobs.JOBS.values())


@pytest.mark.parametrize("kind", jobs.JOBS.values())
@given(data=st.data())
def test_what_is_written_is_read_again(kind: type[Job], data: st.DataObject) -> None:
    order = Order(job=data.draw(st.builds(kind)), snapshot=data.draw(st.text()), bytes=data.draw(st.integers()))
    assert jobs.read(jobs.written(order)) == order
