"""What a hostile service does with logins by the company's provider, and with what the company's
directory may change."""

from client.tests.model.registry import Outcome, move
from client.tests.model.world import SHARED, Actor, World
from client.tests.test_login_lies import OTHER_SALT, LyingCompany, lying_company
from tessera_core.envelopes import new_key, seal_user_key
from tessera_core.kdf import derive

_LIES = "test_login_lies"


def _log_in(actor: Actor, *, exit_code: int, code: str) -> None:
    login = ("login", "https://tessera.test", "--email", actor.email, "--no-browser")
    actor.refused(*login, exit_code=exit_code, code=code)


def _company_of(world: World, actor: Actor) -> LyingCompany:
    return lying_company(world.service, actor.person)


@move(f"{_LIES}.test_nothing_that_opens_keys_is_sent")
def company_login(world: World) -> Outcome:
    """On a new computer, too; what it sent is searched at the end."""
    actor = world.new_device(world.anyone())
    with world.pretending():
        _company_of(world, actor)
        actor.ok("login", "https://tessera.test", "--email", actor.email, "--no-browser")
        actor.ok("ls", f"{SHARED}:/")
    return Outcome.DONE


@move(f"{_LIES}.test_login_that_somebody_else_confirmed_is_not_finished")
def company_login_that_somebody_else_confirmed(world: World) -> Outcome:
    actor, hostile = world.anyone(), world.hostile().person
    with world.pretending():
        company = _company_of(world, actor)
        company.shown_email = hostile.email
        _log_in(actor, exit_code=1, code="company_login_of_other")
        assert not company.has_finished
    return Outcome.NOTICED


@move(f"{_LIES}.test_session_of_another_account_is_refused")
def company_login_into_another_account(world: World) -> Outcome:
    actor, hostile = world.anyone(), world.hostile().person
    with world.pretending():
        _company_of(world, actor).open_account_of(hostile)
        _log_in(actor, exit_code=5, code="user_key_refused")
    return Outcome.NOTICED


@move(f"{_LIES}.test_key_that_the_service_has_chosen_is_refused")
def company_login_with_a_key_of_the_service(world: World) -> Outcome:
    actor = world.anyone()
    person = actor.person
    with world.pretending() as service:
        known = derive(person.email, person.salt)
        _company_of(world, actor).sealed_user_key = seal_user_key(
            new_key(), wrap_key=known.wrap_key, uid=str(person.uuid), cid=str(service.company),
            salt=person.salt,
        )  # fmt: skip
        _log_in(actor, exit_code=5, code="user_key_refused")
    return Outcome.NOTICED


@move(f"{_LIES}.test_salt_that_changed_is_told_before_anything_is_sent")
def company_login_with_another_salt(world: World) -> Outcome:
    actor = world.anyone()
    with world.pretending():
        company = _company_of(world, actor)
        company.salt = OTHER_SALT
        _log_in(actor, exit_code=3, code="salt_changed")
        assert not company.has_finished
    return Outcome.NOTICED


@move("test_membership.test_words_are_compared_although_the_address_leads_to_somebody_with_access")
def addresses_swapped_by_the_directory(world: World) -> Outcome:
    """The leader who looks up a colleague by the address gets the hostile member's keys."""
    victim, hostile = world.random.choice(world.members), world.hostile().person
    words = world.words(victim)
    with world.pretending():
        victim.person.email, hostile.email = hostile.email, victim.email
        grant = ("grant", hostile.email, SHARED, "--words", words)
        world.leader.refused(*grant, exit_code=5, code="words_differ")
    return Outcome.NOTICED
