"""A property that is worked out once: functools.cached_property without the lock that it takes up to Python 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801  it is used like a function
    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    @overload
    def __get__(self, thing: None, owner: type) -> lazy[Value]: ...

    @overload
    def __get__(self, thing: object, owner: type) -> Value: ...

    def __get__(self, thing: object | None, owner: type) -> lazy[Value] | Value:
        if thing is None:
            return self
        value = thing.__dict__[self.name] = self.work(thing)
        return value
