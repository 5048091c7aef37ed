"""Lessons: a short course with positions, a question each, and why; its figures from self-play."""
