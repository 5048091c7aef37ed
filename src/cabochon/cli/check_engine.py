"""`cabochon check-engine CMD`: does this program speak the engine protocol, and what is wrong?"""

from __future__ import annotations

from argparse import Namespace

from cabochon.bots.enginecheck import EngineFinding, check_engine
from cabochon.cli.parser import Parser
from cabochon.cli.terminal import Terminal
from cabochon.rules import CabochonError
from cabochon.words import Words, text

WRONG = 1


def describe(parser: Parser, words: Words) -> None:
    help_text = text("check-engine.help-command", words.lang)
    parser.arguments.add_argument("program", metavar="CMD", help=help_text)


def run(args: Namespace, terminal: Terminal) -> int:
    lang = terminal.words.lang
    is_good = True
    for finding in check_engine(args.program):
        is_good = is_good and finding.is_good
        key = "good" if finding.is_good else "bad"
        terminal.say(text(f"check-engine.{key}", lang, what=_sentence(finding, lang)))
        terminal.flush()
    terminal.say(text(f"check-engine.{'all-good' if is_good else 'some-bad'}", lang))
    return 0 if is_good else WRONG


def _sentence(finding: EngineFinding, lang: str) -> str:
    facts = dict(finding.facts)
    if finding.is_good:
        return text(f"check-engine.{finding.step}-good", lang, **facts)
    if isinstance(why := facts.get("why"), CabochonError):
        facts["why"] = why.text(lang)
    elif why is not None:
        facts["why"] = text(f"check-engine.{why}", lang, **facts)
    if "position" in facts:
        return text("check-engine.moves-bad", lang, **facts)
    if finding.step in ("time", "output", "quit") and why is None:
        return text(f"check-engine.{finding.step}-bad", lang, **facts)
    return text("check-engine.fault-bad", lang, step=finding.step, **facts)
