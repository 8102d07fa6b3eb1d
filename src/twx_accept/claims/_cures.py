"""What to do about answers that are missing, from what the server said."""

from collections.abc import Mapping

CURES: Mapping[str, str] = {
    "chat template": "give the model a chat template with the flag chat_template",
    "return_token_ids": "use an engine that knows return_token_ids",
    "logprobs": "serve with max_logprobs = -1, or at least what is asked for, among the suite's flags",
    "context length": "give the engine a larger max_model_len, or the claim fewer max_tokens",
    "max_tokens": "give the engine a larger max_model_len, or the claim fewer max_tokens",
    "tool": "serve with enable_auto_tool_choice and the model's tool_call_parser among the suite's flags",
}
"""What a refusal is about, and what to do: what is told by the most words first."""


def cure(reason: str, otherwise: str = "run again to ask them") -> str:
    """The cure for a reason that a server gave; ``otherwise`` where it says nothing that is known."""
    said = reason.lower()
    return next((what for word, what in CURES.items() if word in said), otherwise)
