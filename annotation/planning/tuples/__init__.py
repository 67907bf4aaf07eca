"""Best-worst designs: which items occur together in which tuple, and at which position (SemRel2024 3.2; GiCCS).

An item is an index from 0. A design is an array of shape (tuples, size): a row is a tuple, a column a position.
"""

from annotation.planning.tuples.certificate import Certificate, certificate
from annotation.planning.tuples.design import Factor, count_tuples, design_groups, design_tuples
from annotation.planning.tuples.extension import count_added, extend_design, extend_groups

__all__ = [
    "Certificate",
    "Factor",
    "certificate",
    "count_added",
    "count_tuples",
    "design_groups",
    "design_tuples",
    "extend_design",
    "extend_groups",
]
