from pydantic import Field

from tessera.kit.schemas import ApiModel


class FirstSteps(ApiModel):
    """Which of the first steps after signing up are done."""

    passphrase_sheet: bool = Field(description="The leader says that the sheet is kept.")
    warehouses: bool = Field(description="Enough warehouses are Active.")
    members: bool = Field(description="Somebody was invited or is a member.")
    client: bool = Field(description="Somebody has logged in with the client.")
