"""The kinds of attack of scripts/prove: a module for each, and `support` with what they share.

A kind is a module of this folder. Its name is the kind's, and it has

    ABOUT   one sentence for the report: what is attacked, and what must hold
    FINDING one sentence for the report: what would have been found
    SHORT   how many trials the short form makes, with the seeds 1, 2, 3 ...
    trial(bench, seed) -> Outcome

and where the usual value does not fit it

    GOAL    how many attacks the campaign wants (100)
    TIMED   seeds of the trials that judge times, which --timed makes (none)
    ALONE   True where no other trial may run beside one whose times are judged (False)
    WAITS   after so many times SEXTANT_PATIENCE a trial has failed that does not end (3)
    RANK    the order of the report and of the short form, ascending (50)

A trial does the same for the same seed as far as the kernel lets it. It runs in a process of its own: it may change its
user, and whatever it started is killed after it. `bench` is a `support.bench.Bench`: a folder that is removed
afterwards, and the programs. A trial that cannot be made here raises `support.bench.Unavailable`. Every other
exception is a finding, and so is a trial that does not end; so a helper that waits for what was promised may just raise.

A trial waits for states, never for a time, and each wait is bounded by `support.patience.PATIENCE`. How long something
took is judged only where `bench.is_timed`, which is never so in the short form: it must pass on a busy machine too.

A finding is a plain sentence: what was promised, what happened instead, and who was told so. It must be able to happen:
a new kind is tried first against a daemon with that fault.
"""
