"""Every sentence of the specification has a test, and docs/conformance.md says which."""

from docs.conformance import generate


def test_every_sentence_has_a_test_and_every_marker_a_sentence() -> None:
    sentences = [sentence.id for rows in generate.sections().values() for sentence in rows]
    proved = {proof.sentence for proof in generate.proofs()}
    assert len(sentences) == len(set(sentences))
    assert set(sentences) - proved == set(), "sentences without a test"
    assert proved - set(sentences) == set(), "markers that name no sentence"


def test_the_document_is_current() -> None:
    written = generate.DOCUMENT.read_text(encoding="utf-8")
    assert written == generate.document(), "run make conformance and commit docs/conformance.md"
