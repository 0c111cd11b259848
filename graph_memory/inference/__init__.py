"""Models behind ports: embedders now, judges and extractors later. Model libraries are imported when first needed."""
