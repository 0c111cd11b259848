"""What the product does, one verb a module. A service is handed its collaborators and reads like its own summary."""
