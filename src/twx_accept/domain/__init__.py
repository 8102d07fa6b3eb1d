"""The frozen types that pass through the system, and nothing else.

They follow the way of the data: ``Suite`` → ``Build`` → ``RunningServer`` → ``Request`` → ``Exchange`` →
``Score | Unscored`` → ``Verdict`` (with views) → ``RunRecord``, which is what a report is drawn from.
"""
