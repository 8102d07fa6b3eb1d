"""Tool calls: does a build still call the tools that it should, by name, number and shape of arguments?

``reading`` reads raw model output strictly, ``scoring`` scores one trial; both are pure.
"""
