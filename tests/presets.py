"""The protocols of the presets, by their keys."""

from annotation.presets.registry import presets

PRESETS = {key: preset.protocol for key, preset in presets().items()}
CZECH_NEWS, DSCS, SEMREL, STSS131 = (PRESETS[key] for key in ("czech_news", "dscs", "semrel", "stss131"))
