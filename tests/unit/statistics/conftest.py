from hypothesis import settings

# How long one example takes says something about the machine's other work, not about a statistic.
settings.register_profile("statistics", deadline=None)
settings.load_profile("statistics")
