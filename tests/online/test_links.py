"""Addresses of tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.online.links import TableLink, format_link, parse_link

HOST = "https://table.example"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (HOST, TableLink(HOST)),
        (f"{HOST}/", TableLink(HOST)),
        ("localhost:8000/t/abcdefghjk", TableLink("http://localhost:8000", "abcdefghjk")),
        (
            f"{HOST}/t/abcdefghjk#k=cab_s_1.cab_s_2",
            TableLink(HOST, "abcdefghjk", keys=("cab_s_1", "cab_s_2")),
        ),
        (
            f"{HOST}/t/abcdefghjk?watch=abcdefghjk-X",
            TableLink(HOST, "abcdefghjk", watch="abcdefghjk-X"),
        ),
        (f" {HOST}/join/abcdefghjk-C0de_ ", TableLink(HOST, "abcdefghjk", "abcdefghjk-C0de_")),
        (f"{HOST}/replay/abcdefghjk?ply=3", TableLink(HOST, "abcdefghjk")),
    ],
)
def test_what_people_are_given_is_understood(text: str, link: TableLink) -> None:
    assert parse_link(text) == link


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ftp://host/t/abcdefghjk",
        f"{HOST}/settings",
        f"{HOST}/t/",
        "http://",
        "http://h:x/t/abcd",
        "http://[::1",
    ]
    + ["http://me:secret@host/t/abcdefghjk", f"{HOST}/t/../../api", "file:///etc/passwd"],
)
def test_what_leads_nowhere_is_no_link(text: str) -> None:
    assert parse_link(text) is None


@given(st.text())
def test_any_text_is_a_link_or_none(text: str) -> None:
    link = parse_link(text)
    assert link is None or link.base.startswith("http")


def test_a_seat_s_link_reads_back() -> None:
    text = format_link(HOST, "abcdefghjk", ("cab_s_1", "cab_s_2"))
    assert parse_link(text) == TableLink(HOST, "abcdefghjk", keys=("cab_s_1", "cab_s_2"))


def test_sockets_are_secure_where_the_page_is() -> None:
    assert TableLink(HOST).socket == "wss://table.example"
    assert TableLink("http://h").socket == "ws://h"
