from tessera.kit.keys import Keys


def seal_message(keys: Keys, company_id: int, message_id: int, content: bytes) -> bytes:
    return keys.seal("messages", content, f"message|{company_id}|{message_id}")


def open_message(keys: Keys, company_id: int, message_id: int, sealed: bytes) -> bytes:
    return keys.open("messages", sealed, f"message|{company_id}|{message_id}")
