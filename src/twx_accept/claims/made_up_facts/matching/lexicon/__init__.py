"""What the matcher knows of English words."""
