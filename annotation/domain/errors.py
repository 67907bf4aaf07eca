"""What the domain refuses, in words for the person who asked."""


class Refusal(Exception):
    """The request cannot be carried out; the message is a full sentence, and nothing was changed."""


class WrongScreen(Refusal):
    """An answer to a screen that is not the person's present one."""


class TooEarly(Refusal):
    """A return before the end of an enforced pause."""
