"""Cabochon: Splendor, exactly. `cabochon.rules` is the law; everything else stands on it."""

from cabochon.rules.facts import Facts, set_svg_renderer

__version__ = "0.1.0"


def _paint(facts: Facts) -> str:
    from cabochon.render.svg import svg  # only when a notebook asks: nothing else needs it

    return svg(facts)


set_svg_renderer(_paint)
