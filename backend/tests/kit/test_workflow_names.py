import importlib
import pkgutil

from dbos._dbos import _get_or_create_dbos_registry

import tessera

# Names under which released versions stored workflows, steps and schedules in the database.
STORED_NAMES = {
    "tessera.activity.workflows.forget_old_activity",
    "tessera.activity.workflows.sweep_activity",
    "tessera.auth.workflows.forget_old_counters",
    "tessera.auth.workflows.post_reset_link",
    "tessera.auth.workflows.send_reset_link",
    "tessera.auth.workflows.sweep",
    "tessera.notifications.workflows.deliver_email",
    "tessera.notifications.workflows.deliver_sms",
    "tessera.notifications.workflows.give_up",
    "tessera.notifications.workflows.send_email",
    "tessera.notifications.workflows.send_sms",
    "tessera.sandbox.stripe.clock.let_time_pass",
    "tessera.sandbox.stripe.clock.tick",
    "tessera.sandbox.stripe.delivery.deliver_webhook",
    "tessera.sandbox.stripe.delivery.post_webhook",
    "tessera.signup.workflows.add_card",
    "tessera.signup.workflows.end_lost_registrations",
    "tessera.signup.workflows.end_registration",
    "tessera.signup.workflows.forget_old_tickets",
    "tessera.signup.workflows.found_company",
    "tessera.signup.workflows.give_registration_up",
    "tessera.signup.workflows.open_customer",
    "tessera.signup.workflows.register_company",
    "tessera.signup.workflows.subscribe",
    "tessera.signup.workflows.sweep_signups",
    "tessera.signup.workflows.withdraw",
    "tessera.subscription.debt.end_for_debt",
    "tessera.subscription.debt.end_subscription",
    "tessera.subscription.workflows.abandon",
    "tessera.subscription.workflows.absorb",
    "tessera.subscription.workflows.absorb_event",
    "tessera.subscription.workflows.carry_on",
    "tessera.subscription.workflows.enqueue_reconciliations",
    "tessera.subscription.workflows.enqueue_reviews",
    "tessera.subscription.workflows.finish_operation",
    "tessera.subscription.workflows.hourly_round",
    "tessera.subscription.workflows.nightly_reconciliation",
    "tessera.subscription.workflows.reconcile_company",
    "tessera.subscription.workflows.repair",
    "tessera.subscription.workflows.review_company",
    "tessera.subscription.workflows.review_now",
    "tessera.subscription.workflows.run_round",
    "tessera.warehouses.workflows.check_changed",
    "tessera.warehouses.workflows.check_due",
    "tessera.warehouses.workflows.check_now",
    "tessera.warehouses.workflows.check_stretch",
    "tessera.warehouses.workflows.forget_old",
    "tessera.warehouses.workflows.monitor_round",
    "tessera.warehouses.workflows.plan_checks",
    "tessera.warehouses.workflows.publish_health_files",
    "tessera.warehouses.workflows.publish_now",
    "tessera.warehouses.workflows.sweep_warehouses",
}


def test_stored_workflow_and_step_names_still_exist() -> None:
    """A pending workflow is resumed by its stored name; without it the work would be lost."""
    for module in pkgutil.walk_packages(tessera.__path__, "tessera."):
        importlib.import_module(module.name)
    registered = {
        name.removeprefix("<temp>.") for name in _get_or_create_dbos_registry().workflow_info_map
    }
    assert STORED_NAMES - registered == set()
