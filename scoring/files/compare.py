"""`compare R1 R2 R12 N`: do two correlations with a common variable differ (STSS-131, appendix B)?"""

from argparse import Namespace

from scoring.files.writing import defined, write_json
from scoring.stats.comparing import dunn_clark, meng, steiger

REASON = "the standard error is not defined, because a correlation is 1 or -1, or the correlations are inconsistent"


def run(options: Namespace) -> None:
    tests = {"meng": meng, "steiger": steiger, "dunn_clark": dunn_clark}
    values = options.r1, options.r2, options.r12, options.n
    write_json({name: defined(test(*values), REASON) for name, test in tests.items()})
