"""Kimi K3: channels of tags, ``think``, ``response`` and ``tools``; each argument is a tag of its own with its type.

::

    plan<|close|>think<|sep|><|open|>response<|sep|>Let me look.<|close|>response<|sep|><|open|>tools<|sep|>
    <|open|>call tool="get_weather" index="1"<|sep|>
    <|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>
    <|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|><|end_of_msg|>

A string stands as it is; all other types are JSON. Instead of arguments a call may hold one ``json`` tag with the
whole object. The prompt ends inside ``think``, or inside ``response`` where thinking was turned off.

vLLM's parser (``kimi_k3``, 0.32) leaves a whole call in the reasoning where the thinking is not closed (issues 53246,
54273), turns an argument that is no JSON of its type into a string, drops an argument that is not closed and a call
that is not closed, lets the last of two arguments with one key win, reads only the first section of calls, and passes
a call with a ``json`` tag on with no arguments at all.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from twx_accept.claims.tool_calls.reading.kimi_k3.call import Draft, Lost
from twx_accept.claims.tool_calls.reading.kimi_k3.tags import Sort, Tag, tags
from twx_accept.claims.tool_calls.reading.shape import Kind, Notes, Reading


def read(raw: str, thinking: bool) -> Reading:
    """Read output in this format; see :func:`twx_accept.claims.tool_calls.reading.read`."""
    reader = _Reader(place=_Place.THINK if thinking else _Place.RESPONSE)
    for tag in tags(raw):
        reader.take(tag)
    return reader.finish(len(raw))


class _Place(Enum):
    """Where the reader is."""

    THINK = auto()
    RESPONSE = auto()
    BETWEEN = auto()  # in the message, in no channel
    TOOLS = auto()
    CALL = auto()
    LOST = auto()  # in a call that is none any more
    ENDED = auto()


@dataclass(slots=True, kw_only=True)
class _Reader:
    place: _Place
    spoken: bool = False  # whether anything stands before the tag at hand
    answered: bool = False  # whether there was a response
    sections: int = 0
    channel: _Place = _Place.BETWEEN  # where the section at hand was opened
    counted: int = 0  # calls begun in the section at hand
    draft: Draft | None = None
    notes: Notes = field(default_factory=Notes)

    def take(self, tag: Tag) -> None:
        """The next tag, or text."""
        match self.place:
            case _Place.THINK:
                self._in_thinking(tag)
            case _Place.RESPONSE:
                self._in_response(tag)
            case _Place.BETWEEN:
                self._between(tag)
            case _Place.TOOLS:
                self._in_tools(tag)
            case _Place.CALL:
                self._in_call(tag)
            case _Place.LOST:
                self._in_lost(tag)
            case _Place.ENDED:
                self._after_the_end(tag)
        self.spoken = self.spoken or not tag.blank

    # The channels of a message

    def _in_thinking(self, tag: Tag) -> None:
        if tag.sort is Sort.TEXT:
            self.notes.reasoning.append(tag.text)
        elif tag.opens("think") and not self.spoken:
            pass  # the prompt left it to the model to open
        elif tag.closes("think"):
            self.place = _Place.BETWEEN
        elif tag.opens("tools"):
            self.notes.problem(Kind.IN_THINKING, tag.at)
            self._open_section(tag)
        elif tag.ends_the_message or tag.opens("response") or tag.closes("response"):
            # The model went on without closing its thinking (vLLM issues 53246, 54273).
            self.notes.problem(Kind.THINKING_OPEN, tag.at)
            self.place = _Place.RESPONSE if tag.closes("response") else _Place.BETWEEN
            self.take(tag)
        else:
            self._misplaced(tag, self.notes.reasoning)

    def _in_response(self, tag: Tag) -> None:
        self.answered = True
        if tag.sort is Sort.TEXT:
            self.notes.content.append(tag.text)
        elif tag.opens("think", "response") and not self.spoken:
            self.place = _Place.THINK if tag.name == "think" else _Place.RESPONSE
            self.answered = tag.name == "response"
        elif tag.closes("response"):
            self.place = _Place.BETWEEN
        elif tag.ends_the_message or tag.opens("tools"):
            self.notes.problem(Kind.SECTION_OPEN, tag.at, "response")
            self.place = _Place.BETWEEN
            self.take(tag)
        else:
            self._misplaced(tag, self.notes.content)

    def _between(self, tag: Tag) -> None:
        if tag.sort is Sort.TEXT:
            self.notes.content.append(tag.text)
            if not tag.blank:
                self.notes.problem(Kind.STRAY_TEXT, tag.at, tag.text)
        elif tag.opens("response") and not (self.answered or self.sections):
            self.place = _Place.RESPONSE
        elif tag.opens("tools"):
            self._open_section(tag)
        elif tag.ends_the_message:
            self.place = _Place.ENDED
        else:
            self._misplaced(tag, self.notes.content)

    def _after_the_end(self, tag: Tag) -> None:
        if tag.opens("call"):
            self.notes.problem(Kind.AFTER_END, tag.at)
        elif not (tag.blank or tag.sort is Sort.END):
            self.notes.problem(Kind.STRAY_TEXT if tag.sort is Sort.TEXT else Kind.OUT_OF_PLACE, tag.at, tag.text)

    def _misplaced(self, tag: Tag, said: list[str]) -> None:
        """A marker without a meaning here stays in the text, as a server would pass it on."""
        said.append(tag.text)
        if tag.opens("call"):
            self.notes.problem(Kind.OUTSIDE, tag.at)
        else:
            kind = Kind.UNKNOWN_MARKER if tag.sort is Sort.UNKNOWN else Kind.OUT_OF_PLACE
            self.notes.problem(kind, tag.at, tag.text)

    # The section of calls

    def _open_section(self, tag: Tag) -> None:
        if self.sections:
            self.notes.problem(Kind.SECOND_SECTION, tag.at)
        self.sections += 1
        self.channel, self.place, self.counted = self.place, _Place.TOOLS, 0

    def _in_tools(self, tag: Tag) -> None:
        if tag.opens("call"):
            self._open_call(tag)
        elif tag.closes("tools"):
            if not self.counted:
                self.notes.problem(Kind.EMPTY_SECTION, tag.at)
            self.place = self.channel
        elif tag.ends_the_message or tag.closes("think", "response"):
            self._leave_section(tag.at)
            self.take(tag)
        elif tag.sort is Sort.TEXT:
            if not tag.blank:
                self.notes.problem(Kind.STRAY_TEXT, tag.at, tag.text)
        else:
            # Nothing but calls lives here: markers that make no tag are the begin of one.
            kind = Kind.HALF_WRITTEN if tag.sort is Sort.BROKEN else Kind.OUT_OF_PLACE
            self.notes.problem(Kind.UNKNOWN_MARKER if tag.sort is Sort.UNKNOWN else kind, tag.at, tag.text)

    def _leave_section(self, at: int) -> None:
        """The section is not closed; if it holds no call yet, one was about to be written."""
        self.notes.problem(Kind.SECTION_OPEN if self.counted else Kind.HALF_WRITTEN, at, "tools")
        self.place = self.channel

    # A call

    def _open_call(self, tag: Tag) -> None:
        self.counted += 1
        try:
            self.draft = Draft.of(tag)
        except Lost as lost:
            self._lose(lost, tag.at)
            return
        if self.draft.index != self.counted:
            self.notes.problem(Kind.INDEX, tag.at, tag.text)
        self.place = _Place.CALL

    def _in_call(self, tag: Tag) -> None:
        draft = self.draft
        assert draft is not None  # noqa: S101 - the place says so
        try:
            if draft.take(tag):
                self.place, self.draft = _Place.TOOLS, None
                self.notes.calls.append(draft.call(thought=self.channel is _Place.THINK))
        except Lost as lost:
            closed = self.place is _Place.TOOLS
            self._lose(lost, draft.at)
            if closed:
                self.place = _Place.TOOLS
            else:
                self._in_lost(tag)

    def _lose(self, lost: Lost, at: int) -> None:
        self.notes.problem(lost.kind, at, str(lost))
        self.place, self.draft = _Place.LOST, None

    def _in_lost(self, tag: Tag) -> None:
        """Pass over what belongs to a call that is none, up to where the next can begin."""
        if tag.closes("call"):
            self.place = _Place.TOOLS
        elif tag.ends_the_message or tag.opens("call") or tag.name in ("tools", "think", "response"):
            self.place = _Place.TOOLS
            self._in_tools(tag)

    # The end of the text

    def finish(self, length: int) -> Reading:
        """The reading, at the end of the text."""
        if self.draft is not None:
            self._lose(Lost(Kind.HALF_WRITTEN, f"the text ends in a call of {self.draft.name}"), self.draft.at)
        if self.place in (_Place.LOST, _Place.TOOLS):
            self._leave_section(length)
        if self.place is _Place.THINK:
            self.notes.problem(Kind.THINKING_OPEN, length)
        elif self.place is _Place.RESPONSE:
            self.notes.problem(Kind.SECTION_OPEN, length, "response")
        return self.notes.reading()
