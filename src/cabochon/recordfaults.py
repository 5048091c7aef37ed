"""Why a record is damaged or does not verify."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from cabochon.rules.errors import CabochonError, Param
from cabochon.rules.sentences import register, sentence


class RecordFault(StrEnum):
    """What is wrong with a record beyond an illegal move or deal."""

    PLAYERS_COUNT = "players-count"
    RULESET_MISMATCH = "ruleset-mismatch"
    RECORD_VERSION = "record-version"
    VIEWER_MISMATCH = "viewer-mismatch"
    HEADER_NAME = "header-name"
    NOT_TEXT = "not-text"
    COMMENT_PLY = "comment-ply"
    RESULT_SHAPE = "result-shape"
    ALREADY_ENDED = "already-ended"
    RESULT_TOO_EARLY = "result-too-early"
    RESULT_WRONG = "result-wrong"
    SEED_NOT_COMMITTED = "seed-not-committed"
    OPENING_NOT_FROM_SEED = "opening-not-from-seed"
    DEAL_NOT_FROM_SEED = "deal-not-from-seed"
    SHARE_HASH = "share-hash"
    SHARE_NOT_PROMISED = "share-not-promised"
    SHARE_TABLE = "share-table"
    SHARE_ROUND = "share-round"
    SHARE_MISSING = "share-missing"
    LABEL_WRONG = "label-wrong"
    RECORD_PART = "record-part"


class Verdict(StrEnum):
    """What a verification proved, or why it could not prove it."""

    MOVES_LEGAL = "verified-moves"
    MOVES_UNTIL = "verified-moves-until"
    DEAL_AGREES = "verified-deal"
    DEAL_UNTIL = "verified-deal-until"
    SEED_COMMITTED = "verified-commitment"
    NOT_COMMITTED = "verified-uncommitted"
    NOT_REVEALED = "verified-unrevealed"
    GIVEN_POSITION = "verified-position"
    RESULT_AGREES = "verified-result"
    RESULT_TAKEN_ON_TRUST = "verified-result-on-trust"
    RESULT_MISSING = "verified-result-missing"
    NO_RESULT = "verified-no-result"
    SHARES_HOLD = "verified-shares"
    SHARES_AGAIN = "verified-shares-again"
    SHARES_NOT_TOLD = "verified-shares-not-told"
    SHARE_FOUND = "verified-share-found"
    CUT = "verified-cut"
    REST_UNCHECKED = "verified-rest-unchecked"

    @property
    def is_proof(self) -> bool:
        """Whether something was proved; else this is what a record leaves open."""
        return self not in _OPEN


_OPEN = frozenset(
    {
        Verdict.NOT_COMMITTED,
        Verdict.NOT_REVEALED,
        Verdict.GIVEN_POSITION,
        Verdict.RESULT_TAKEN_ON_TRUST,
        Verdict.RESULT_MISSING,
        Verdict.CUT,
        Verdict.REST_UNCHECKED,
        Verdict.SHARES_NOT_TOLD,
    }
)


class Standing(StrEnum):
    """What a whole verification comes to."""

    PROVED = "proved"
    NOT_PROVED = "not-proved"
    BROKEN = "broken"


class Finding(NamedTuple):
    """One thing that a verification proved, or had to leave open."""

    code: Verdict
    params: Mapping[str, Param]

    @property
    def en(self) -> str:
        return sentence(self.code.value, "en", self.params)

    @property
    def zh(self) -> str:
        return sentence(self.code.value, "zh", self.params)


register(
    {
        "players-count": (
            "The record names {count} players; its rules have {seats}.",
            "棋谱写了 {count} 位玩家；规则应有 {seats} 位。",
        ),
        "ruleset-mismatch": (
            "The record is played by {expected}, its first position by {ruleset}.",
            "棋谱的规则为 {expected}，起始局面的规则却是 {ruleset}。",
        ),
        "record-version": (
            "A record of version {version} is not understood; {expected} is.",
            "不认识版本为 {version} 的棋谱；应为 {expected}。",
        ),
        "viewer-mismatch": (
            "The viewer {viewer} is none of the {seats} seats, or not the one of the first view.",
            "视角 {viewer} 不在 {seats} 个座位之中，或与起始视图不一致。",
        ),
        "header-name": (
            "A header's name is a letter and then at most 39 letters, digits or _, and none "
            "that the format uses itself; not “{header}”.",
            "标头名应以字母开头，其后至多 39 个字母、数字或 _，且不得是格式自用的名称；"
            "而不是“{header}”。",
        ),
        "not-text": (
            "The {where} holds half of a character that no text can hold.",
            "{where} 中含有不成字符的半个代码。",
        ),
        "comment-ply": (
            "There is a comment for ply {at}; the record has {plies}.",
            "有注释写在第 {at} 步；棋谱只有 {plies} 步。",
        ),
        "result-shape": (
            "A result ranks each of the {seats} seats, as in 1-2 or 1-1-3; this is {result}.",
            "结果应给出 {seats} 个座位的名次，例如 1-2 或 1-1-3；而不是 {result}。",
        ),
        "already-ended": (
            "The record already has a result ({result}): nothing can follow.",
            "棋谱已有结果（{result}）：其后不能再有行动。",
        ),
        "result-too-early": (
            "The record says {result}, but by the rules the game goes on.",
            "棋谱写着 {result}，但按规则游戏尚未结束。",
        ),
        "result-wrong": (
            "The record says {result}; by the rules it is {expected}.",
            "棋谱写着 {result}；按规则应为 {expected}。",
        ),
        "seed-not-committed": (
            "The revealed seed is not the one that was committed to at the start.",
            "公开的种子不是开局时承诺的那一个。",
        ),
        "opening-not-from-seed": (
            "The opening is not the one that the revealed seed deals.",
            "开局与公开的种子不符。",
        ),
        "deal-not-from-seed": (
            "Card {card} was dealt; the revealed seed deals {expected}.",
            "发出的是 {card}；按公开的种子应发 {expected}。",
        ),
        "share-hash": (
            "Seat {seat} has a share without a proper hash: nothing shows that it was picked "
            "in time.",
            "{seat} 号座位的份额没有有效的哈希：无法证明它是事先选定的。",
        ),
        "share-not-promised": (
            "The share of seat {seat} isn't the one its hash promised.",
            "{seat} 号座位的份额与事先给出的哈希不符。",
        ),
        "share-table": (
            "The shares can't be checked without the header Table.",
            "缺少 Table 标头，无法核对份额。",
        ),
        "share-round": (
            "The header ShareRound must be a number from 1 on.",
            "ShareRound 标头应是从 1 开始的数字。",
        ),
        "share-missing": (
            "No share with the hash {hash} is in this deal.",
            "这局发牌中没有哈希为 {hash} 的份额。",
        ),
        "label-wrong": (
            "The label says {label}, but by the moves before it this is turn {expected}.",
            "标记写着 {label}，但按之前的行动，此处应为 {expected}。",
        ),
        "record-part": (
            "In a record, {part} should be {wanted}, not {given}.",
            "棋谱中的 {part} 应为{wanted}，而不是 {given}。",
        ),
        "at-ply": ("At ply {ply}: {message}", "第 {ply} 步：{message}"),
        "verified-moves": (
            "All {plies} moves and deals are legal.",
            "{plies} 步行动与发牌均合法。",
        ),
        "verified-moves-until": (
            "The first {plies} moves and deals are legal.",
            "前 {plies} 步行动与发牌合法。",
        ),
        "verified-deal": (
            "Every card was dealt as the revealed seed says.",
            "每张牌都与公开的种子相符。",
        ),
        "verified-deal-until": (
            "The cards of the first {plies} moves and deals are those of the revealed seed.",
            "前 {plies} 步中的牌与公开的种子相符。",
        ),
        "verified-commitment": (
            "The seed is the one committed to at the start.",
            "种子正是开局时承诺的那一个。",
        ),
        "verified-uncommitted": (
            "No commitment was recorded, so the seed may have been chosen later.",
            "没有记录承诺，因此种子可能是事后选定的。",
        ),
        "verified-unrevealed": (
            "The seed is not revealed, so the deal could not be checked.",
            "种子尚未公开，因此无法检查发牌。",
        ),
        "verified-position": (
            "The record starts from a given position, so the deal could not be checked.",
            "棋谱从给定局面开始，因此无法检查发牌。",
        ),
        "verified-result": ("The result agrees: {result}.", "结果相符：{result}。"),
        "verified-shares": (
            "Seats {seats} added to the deal: each share is the one its hash promised.",
            "{seats} 号座位参与了发牌：每份份额都与事先给出的哈希相符。",
        ),
        "verified-shares-again": (
            "It took {round} rounds of shares: somebody held a share back before.",
            "份额共进行了 {round} 轮：此前有人没有公开自己的份额。",
        ),
        "verified-shares-not-told": (
            "Seats {seats} added to the deal; not all of their shares are told yet.",
            "{seats} 号座位参与了发牌；份额尚未全部公布。",
        ),
        "verified-share-found": (
            "The share with the hash {hash} is in this deal.",
            "哈希为 {hash} 的份额参与了这局发牌。",
        ),
        "verified-result-on-trust": (
            "The players ended the game ({result}); no move can prove that.",
            "对局由玩家结束（{result}）；行动无法证明这一点。",
        ),
        "verified-result-missing": (
            "The result is missing: by the rules the game is over, {expected}.",
            "缺少结果：按规则对局已经结束，应为 {expected}。",
        ),
        "verified-no-result": (
            "The record gives no result, and by the rules the game goes on.",
            "棋谱没有写结果，按规则对局也尚未结束。",
        ),
        "verified-cut": (
            "The record breaks off without a result: its end may have been cut off.",
            "棋谱没有结果就中断了：结尾可能已被截去。",
        ),
        "verified-rest-unchecked": (
            "Nothing after ply {ply} could be checked.",
            "第 {ply} 步之后的内容无法检查。",
        ),
    }
)


class RecordError(CabochonError):
    """A record that cannot be, or does not replay or verify. `ply` counts its moves and deals from
    1; 0 is what stands before them. `code` is a `RecordFault`, or says which rule the move or deal
    breaks, as in `Refusal` and `DealFault`."""

    @property
    def ply(self) -> int:
        return int(self.params["ply"])

    @property
    def en(self) -> str:
        return self._placed(super().en, "en")

    @property
    def zh(self) -> str:
        return self._placed(super().zh, "zh")

    def _placed(self, message: str, language: str) -> str:
        if not self.ply:
            return message
        return sentence("at-ply", language, {"ply": self.ply, "message": message})


def at_ply(error: CabochonError, ply: int) -> RecordError:
    """What another error says, as the damage of a record at that ply."""
    params: dict[str, Param] = {**error.params, "ply": ply}
    return RecordError(error.code, **params)
