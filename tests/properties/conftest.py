"""Hypothesis for laws: no deadline, for how long an example takes is no law."""

import hypothesis

hypothesis.settings.register_profile("laws", deadline=None, print_blob=True)
hypothesis.settings.load_profile("laws")
