"""Every figure that a verdict rests on, as pure functions of counts.

Nothing here opens a file, reads a clock or draws a random number without a seed that is carried in the result.

Convention, everywhere: the *original* is compared with a compressed *build* on the same n items.
``b`` counts the items that are right only for the original, ``c`` those that are right only for the build, and
D = (c - b)/n is the build minus the original, so that a negative difference is a loss.
Bounds are called ``lower`` and ``upper``; differences, rates and bounds are fractions (0.01 is one point), and a
margin is a :class:`~twx_accept.statistics.types.Margin`, which cannot be made without its unit.
Decisions are taken on unrounded numbers.

===============  ===================================================================================================
``paired``       the same items on both sides: McNemar, Tango's score test and interval, the non-inferiority and
                 equivalence decisions, the exact unconditional audit
``proportion``   one rate: Clopper-Pearson, Wilson
``independent``  two groups of unrelated items: Fisher, Boschloo, Farrington-Manning, Miettinen-Nurminen
``clustered``    rates whose items come in clusters (facts of a passage, calls of a prompt), and their bootstrap
``multiplicity`` Holm's adjustment, where the best of several comparisons is picked
``power``        what a plan can show, computed before the run and never after
``decision``     the inequality between bounds and margin, written once
``types``        a margin with its unit, an interval
===============  ===================================================================================================
"""
