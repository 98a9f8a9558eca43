"""The payment sandbox: answers the calls of Stripe's API that the product uses, with objects of
the same shape, test cards that behave alike, signed webhooks, and a clock that can be moved.

The product knows nothing of it and talks to it through Stripe's SDK. Not mounted in production.
"""
