"""A person's life, made up here with a fixed seed, and played through the product with the clock advanced."""
