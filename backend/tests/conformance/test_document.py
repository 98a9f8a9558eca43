"""Every sentence of docs/conformance.md has a test."""

from collections import Counter

from tests.conformance.proofs import proofs, sentences


def test_every_sentence_has_a_test_and_every_marker_a_sentence() -> None:
    numbers = Counter(number for number, _ in sentences())
    proved = {proof.sentence for proof in proofs()}
    assert [number for number, count in numbers.items() if count > 1] == []
    assert set(numbers) - proved == set(), "sentences without a test"
    assert proved - set(numbers) == set(), "markers that name no sentence"
