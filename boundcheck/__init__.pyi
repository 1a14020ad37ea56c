"""The public names for type checkers; at run time they are imported when they are asked for."""
# ruff: noqa: F403

from boundcheck.domains import *
from boundcheck.domains.classes import *
from boundcheck.features.data_set import *
from boundcheck.features.leverage import *
from boundcheck.laws.quantities import *
from boundcheck.running.session import *
from boundcheck.settings import *
from boundcheck.words.claims import *
from boundcheck.words.functions import *
from boundcheck.words.hypotheses import *
from boundcheck.words.statements import *

__version__: str
__all__: list[str]
_EXPORTS: dict[str, str]
_HOME: dict[str, str]
