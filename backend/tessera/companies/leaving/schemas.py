from datetime import datetime

from pydantic import Field

from tessera.companies.schemas import NeededLine
from tessera.kit.schemas import ApiModel


class Leave(ApiModel):
    name: NeededLine = Field(description="The company's name, as a confirmation.")
    last_day: datetime = Field(description="What was shown; 409 if it is another day by now.")
