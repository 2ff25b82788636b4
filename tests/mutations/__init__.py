"""The mutation test: would a ruling notice if a rule were not there, or were inverted?

Each rule of the rule files is removed; each `not` in it is dropped; each comparison is dropped and
negated (only where clingo still finds every variable safe). For each mutant the rulings are asked
again, and one of these comes of it:

- **killed**: a ruling fails, or clingo or the engine break down; what clingo only remarks is no
  failure;
- **told**: none fails, but an answer is told differently, in what no ruling can say: the trace, the
  choices, who bears a reason, what it rests on, the order, which actions are candidates;
- **unproved**: what is legal, by which rules, or what comes of it is different in the position of
  some ruling, and no ruling says which is right: one is missing;
- **equivalent**: no answer is different in any way: the rule, or the literal, may be superfluous;
- **unreached**: in no position of the rulings does the change bear on anything.

The last three survive. A survivor may be explained in a comment directly before its rule:

    % mutant: deleted: only saves work
    % mutant: deleted, weakened: ...

How it stays quick: the rulings run once with *probes*: for each mutant a rule that derives
``touch(m)`` where the mutant derives something else than the rule it is made from. A mutant is then
solved anew only for questions that touched it; all other answers are those of the whole program.
Rulings that failed are remembered between runs and tried first; so are results, as long as rules,
engine and the ruling are what they were.

Slices of a mutant: a deleted rule is left out of the slice of the whole program (less can be
derived, so nothing else comes to matter). `slicing` looks at no `not` and at no comparison but `=`
as it works out what can be derived: dropping or negating such a literal leaves a slice as it is. For
mutants without an `=` the slices come from a program in which all those are left out at once: a
superset of what each one needs.

    python -m tests.mutations [--edition heroes] [--file rules/attack.lp] [--sample N --seed S]
"""

from __future__ import annotations
