"""Text for everything that is played: read generously, written canonically (docs/notation.md)."""

from cabochon.notation.drafts import decoded
from cabochon.notation.errors import NotationError, NotationFault
from cabochon.notation.jsontext import Json, dumps, loads
from cabochon.notation.moves import (
    format_event,
    format_gems,
    format_move,
    parse_card,
    parse_event,
    parse_gems,
    parse_move,
    parse_noble,
    parse_seen_event,
)
from cabochon.notation.names import noble_name
from cabochon.notation.paths import format_path, parse_path
from cabochon.notation.positionjson import (
    hand_to_json,
    position_from_json,
    position_to_json,
    setup_from_json,
    view_fields_to_json,
    view_from_json,
    view_to_json,
)
from cabochon.notation.positions import (
    format_position,
    format_view,
    parse_position,
    parse_ruleset,
    parse_setup,
    parse_view,
)
from cabochon.notation.reading import Reading
from cabochon.notation.recordjson import (
    error_to_json,
    reading_from_json,
    record_from_json,
    record_to_json,
    seen_record_from_json,
    seen_record_to_json,
    verification_to_json,
)
from cabochon.notation.records import (
    format_record,
    format_records,
    parse_readings,
    parse_record,
    parse_records,
    parse_seen_record,
)
from cabochon.notation.turns import describe_turn, format_turn, parse_turn, turn_label

__all__ = [
    "Json",
    "NotationError",
    "NotationFault",
    "Reading",
    "decoded",
    "describe_turn",
    "dumps",
    "error_to_json",
    "format_event",
    "format_gems",
    "format_move",
    "format_path",
    "format_position",
    "format_record",
    "format_records",
    "format_turn",
    "format_view",
    "hand_to_json",
    "loads",
    "noble_name",
    "parse_card",
    "parse_event",
    "parse_gems",
    "parse_move",
    "parse_noble",
    "parse_path",
    "parse_position",
    "parse_readings",
    "parse_record",
    "parse_records",
    "parse_ruleset",
    "parse_seen_event",
    "parse_seen_record",
    "parse_setup",
    "parse_turn",
    "parse_view",
    "position_from_json",
    "position_to_json",
    "reading_from_json",
    "record_from_json",
    "record_to_json",
    "seen_record_from_json",
    "seen_record_to_json",
    "setup_from_json",
    "turn_label",
    "verification_to_json",
    "view_fields_to_json",
    "view_from_json",
    "view_to_json",
]
