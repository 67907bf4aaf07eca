"""The questions of a registered plan, in the order of the OSF's preregistration template, in words of our own."""

SECTIONS: dict[str, tuple[str, ...]] = {
    "Study information": ("title", "description", "hypotheses"),
    "Design plan": ("study_type", "blinding", "design", "randomization"),
    "Sampling plan": ("existing_data", "collection", "sample_size", "rationale", "stopping"),
    "Variables": ("manipulated", "measured", "indices"),
    "Analysis plan": ("models", "transformations", "inference", "exclusions", "missing", "exploratory"),
    "Other": ("other",),
}
"""The names of the questions of each section. The plan answers `title` and `randomization` by itself."""
QUESTIONS = {
    "title": "What is the title of the study?",
    "description": "What is the study about?",
    "hypotheses": "What are the hypotheses? State the direction of each.",
    "study_type": "What type of study is it?",
    "blinding": "Who does not know what, and when?",
    "design": "What is the design?",
    "randomization": "What is random, and how is it drawn?",
    "existing_data": "Which of the data exist already, and who has seen them?",
    "collection": "How are the data collected, and from whom?",
    "sample_size": "How many items, annotators and judgments are planned?",
    "rationale": "Why these numbers?",
    "stopping": "When does the collection end?",
    "manipulated": "What is manipulated?",
    "measured": "What is measured?",
    "indices": "Which indices are computed from several measurements?",
    "models": "Which statistical models and tests are planned for each hypothesis?",
    "transformations": "How are the data transformed before the analysis?",
    "inference": "By which criteria are conclusions drawn?",
    "exclusions": "Whose data, or which data, are excluded?",
    "missing": "What is done about missing data?",
    "exploratory": "What is to be explored without a hypothesis?",
    "other": "What else matters?",
}
"""The English wording of each question, as exported files have it."""
ANSWERED_ALONE = ("title", "randomization")
TEXTS = tuple(name for name in QUESTIONS if name not in ANSWERED_ALONE)
"""The questions that owners answer in words."""
REQUIRED = ("hypotheses", "models")
"""Those without an answer to which nothing is registered."""
