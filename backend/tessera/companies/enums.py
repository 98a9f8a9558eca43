"""The states and territories of addresses, by postal abbreviation."""

_STATES = """
AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY
"""
_TERRITORIES = "AS FM GU MH MP PW PR VI"

STATES = frozenset(f"{_STATES} {_TERRITORIES}".split())
