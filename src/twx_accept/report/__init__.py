"""Projections of a run: HTML, Markdown, JSON and terminal text. They format and draw; they decide nothing."""
