"""The payment sandbox: implements the calls of Stripe's API that the product uses, with objects of
the same shape, test cards that behave alike, signed webhooks, and a clock that can be moved.

The product does not know about it and calls it through Stripe's SDK. Not mounted in production.
"""
