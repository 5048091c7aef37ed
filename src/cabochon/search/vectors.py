"""Sums of rows of a table, kept in the processor's registers.

LLVM can't see that the arrays of a network are apart, so a sum in a plain loop goes to memory and
back with every row, after a look whether they overlap. Here each piece of a sum is loaded once and
stored once; the order of additions, row after row, is that of the plain loop, and so are the last
digits. What is summed into must not be among the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils as untyped_cgutils
from numba.core import types
from numba.extending import intrinsic

LANES = 16
"""Numbers that are worked on as one, or half as many; LLVM takes several shorter vectors where the
processor has none so long."""
PIECE = 128
"""This many numbers of a sum are held at once."""

cgutils: Any = untyped_cgutils
_FUSED = ("contract",)
_Row = Callable[[Any, Any], tuple[Any, Any]]
"""From a builder and a counter to the index of a row and the number it is multiplied with."""


@intrinsic(prefer_literal=True)
def _sum_rows(
    typing: Any, out: Any, start: Any, table: Any, which: Any, count: Any, width: Any
) -> Any:
    """out[:width] = start[:width] + table[which[0]] + … + table[which[count - 1]]."""
    signature = types.void(out, start, table, which, count, width)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        rows = _data(context, builder, sig.args[3], args[3])

        def row(builder: Any, counter: Any) -> tuple[Any, Any]:
            return _index(builder, builder.load(builder.gep(rows, [counter]))), None

        first, end = _whole(0), _index(builder, args[4])
        return _sum(context, builder, sig, args, row, first, end, width.literal_value)

    return signature, generate


@intrinsic(prefer_literal=True)
def _sum_products(
    typing: Any,
    out: Any,
    start: Any,
    table: Any,
    factors: Any,
    first: Any,
    end: Any,
    width: Any,
) -> Any:
    """out[:width] = start[:width] + factors[first] * table[first] + … up to `end`."""
    signature = types.void(out, start, table, factors, first, end, width)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers = _data(context, builder, sig.args[3], args[3])

        def row(builder: Any, counter: Any) -> tuple[Any, Any]:
            return counter, builder.load(builder.gep(numbers, [counter]))

        begin, stop = _index(builder, args[4]), _index(builder, args[5])
        return _sum(context, builder, sig, args, row, begin, stop, width.literal_value)

    return signature, generate


@intrinsic(prefer_literal=True)
def _sum_listed_products(
    typing: Any,
    out: Any,
    start: Any,
    table: Any,
    factors: Any,
    which: Any,
    count: Any,
    width: Any,
) -> Any:
    """The same for the rows in a list: start + factors[which[0]] * table[which[0]] + …"""
    signature = types.void(out, start, table, factors, which, count, width)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers = _data(context, builder, sig.args[3], args[3])
        rows = _data(context, builder, sig.args[4], args[4])

        def row(builder: Any, counter: Any) -> tuple[Any, Any]:
            index = _index(builder, builder.load(builder.gep(rows, [counter])))
            return index, builder.load(builder.gep(numbers, [index]))

        first, end = _whole(0), _index(builder, args[5])
        return _sum(context, builder, sig, args, row, first, end, width.literal_value)

    return signature, generate


sum_rows: Any = _sum_rows
sum_products: Any = _sum_products
sum_listed_products: Any = _sum_listed_products


def _sum(
    context: Any,
    builder: Any,
    sig: Any,
    args: Any,
    row: _Row,
    first: Any,
    end: Any,
    width: int,
) -> Any:
    """The loop over the rows, for one piece of their width after the other."""
    out, start, table = (
        _data(context, builder, kind, value)
        for kind, value in zip(sig.args[:3], args[:3], strict=True)
    )
    stride = _stride(context, builder, sig.args[2], args[2])
    vector = ir.VectorType(ir.FloatType(), LANES if width % LANES == 0 else LANES // 2)
    for begin in range(0, width, PIECE):
        places = range(begin, min(begin + PIECE, width), vector.count)
        sums = [cgutils.alloca_once(builder, vector) for _ in places]
        for place, total in zip(places, sums, strict=True):
            builder.store(_load(builder, start, place, vector), total)
        with cgutils.for_range_slice(builder, first, end, _whole(1)) as (counter, _):
            index, factor = row(builder, counter)
            line = builder.gep(table, [builder.mul(index, stride)])
            spread = None if factor is None else _spread(builder, factor, vector)
            for place, total in zip(places, sums, strict=True):
                term = _load(builder, line, place, vector)
                if spread is not None:
                    term = builder.fmul(spread, term, flags=_FUSED)
                builder.store(builder.fadd(builder.load(total), term, flags=_FUSED), total)
        for place, total in zip(places, sums, strict=True):
            builder.store(builder.load(total), _at(builder, out, place, vector), align=4)
    return context.get_dummy_value()


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value).data


def _stride(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Numbers from one row of a table to the next."""
    strides = context.make_array(kind)(context, builder, value).strides
    return builder.sdiv(builder.extract_value(strides, 0), _whole(4))


def _whole(number: int) -> Any:
    return ir.Constant(ir.IntType(64), number)


def _index(builder: Any, value: Any) -> Any:
    whole = ir.IntType(64)
    return value if value.type == whole else builder.sext(value, whole)


def _at(builder: Any, pointer: Any, place: int, vector: Any) -> Any:
    return builder.bitcast(builder.gep(pointer, [_whole(place)]), vector.as_pointer())


def _load(builder: Any, pointer: Any, place: int, vector: Any) -> Any:
    return builder.load(_at(builder, pointer, place, vector), align=4)


def _spread(builder: Any, number: Any, vector: Any) -> Any:
    """The same number in every lane."""
    nothing = ir.Constant(vector, ir.Undefined)
    lone = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(lone, nothing, everywhere)
