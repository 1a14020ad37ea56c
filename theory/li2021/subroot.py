"""Section 2.4: sub-root functions (Definition 4) and their fixed points (Lemma 5)."""

from boundcheck import Positive, assume, at_most, between, equal, integers, sqrt
from theory.li2021 import paper


@paper.lemma(5, section="Section 2.4")
def fixed_point_is_unique(quarters: integers(0, 4), r: Positive, r_star: Positive):
    """A sub-root function has one positive fixed point.

    psi(r) = t r + (1 - t) sqrt(r r*) with t = 0, 1/4, ..., 1 is non-decreasing and psi(r) / r non-increasing,
    all that Definition 4 asks for; r* is a fixed point, r another.
    """
    psi = (quarters * r + (4 - quarters) * sqrt(r * r_star)) / 4
    assume(psi == r)
    return equal(r, r_star)


@paper.lemma("lemma5.repaired", section="Section 2.4", repairs="lemma5")
def fixed_point_separates(t: between(0, 1), r: Positive, r_star: Positive):
    """If psi(r) / sqrt(r) is non-increasing and psi not 0, then r >= psi(r) exactly for r at or above the
    fixed point.

    The definition of Bartlett et al. 2005; psi(r) = t sqrt(r r*) + (1 - t) r*. For r >= r*,
    psi(r) / sqrt(r) <= psi(r*) / sqrt(r*) = sqrt(r*) <= sqrt(r); and the other way round.
    """
    psi = t * sqrt(r * r_star) + (1 - t) * r_star
    return at_most(0, (psi - r) * (r_star - r))
