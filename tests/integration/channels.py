"""Settings with other weights of recall's channels."""

from dataclasses import replace

from graph_memory.settings import Settings


def with_channels(settings: Settings, **weights: float) -> Settings:
    """The settings with these channels weighed so."""
    channels = {**settings.recall.channel_weights, **weights}
    return replace(settings, recall=replace(settings.recall, channel_weights=channels))
