"""What a run leaves out or exchanges, and therefore cannot gate."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How a run departs from the registered plan.

    ``questions_per_group`` limits the questions of each subject; ``questions`` names another source of questions.
    """

    questions_per_group: int | None = None
    questions: str | None = None

    @property
    def partial(self) -> str:
        """Why the run is partial, in words; empty where it is the whole registered plan."""
        reasons = []
        if self.questions_per_group is not None:
            questions = "question" if self.questions_per_group == 1 else "questions"
            reasons.append(f"{self.questions_per_group} {questions} a subject")
        if self.questions is not None:
            reasons.append(f"questions from {self.questions.replace(chr(92), '/').rstrip('/').split('/')[-1]}")
        return ", ".join(reasons)
