"""The records of the API, with the field names that the API writes: `from vintem.types import Payment`."""

from .generated.types import *
