"""What a new version of the API no longer takes or no longer answers, by the two OpenAPI
descriptions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Change:
    old: Json
    new: Json

    def breaking(self) -> Iterator[str]:
        for path, calls in self.old["paths"].items():
            for method in METHODS & calls.keys():
                name = f"{method.upper()} {path}"
                new = self.new["paths"].get(path, {}).get(method)
                if new is None:
                    yield f"{name} is gone"
                else:
                    yield from self._call(name, calls[method], new)

    def _call(self, name: str, old: Json, new: Json) -> Iterator[str]:
        known = {(each["in"], each["name"]) for each in old.get("parameters", [])}
        for each in new.get("parameters", []):
            if each.get("required") and (each["in"], each["name"]) not in known:
                yield f"{name} needs the parameter {each['name']}"
        sent, taken = (_content(call.get("requestBody", {})) for call in (old, new))
        yield from self._schema(f"{name}, sent", sent, taken, is_sent=True)
        for status, answer in old["responses"].items():
            answered = _content(new["responses"].get(status, {}))
            where = f"{name}, answered {status}"
            yield from self._schema(where, _content(answer), answered, is_sent=False)

    def _schema(self, where: str, old: Json, new: Json, *, is_sent: bool) -> Iterator[str]:
        old, new = _resolved(old, self.old), _resolved(new, self.new)
        if is_sent and (kept := set(old.get("enum", []))) - set(new.get("enum", kept)):
            yield f"{where}: takes fewer values"
        fields, others = old.get("properties", {}), new.get("properties", {})
        for field in fields.keys() - others.keys():
            yield f"{where}: {field} is gone"
        required = set(old.get("required", [])), set(new.get("required", []))
        for field in required[1] - required[0] if is_sent else required[0] - required[1]:
            yield f"{where}: {field} is {'required' if is_sent else 'optional'}"
        for field in fields.keys() & others.keys():
            yield from self._schema(
                f"{where}.{field}", fields[field], others[field], is_sent=is_sent
            )
        if "items" in old:
            yield from self._schema(
                f"{where}[]", old["items"], new.get("items", {}), is_sent=is_sent
            )
        for one, other in zip(old.get("anyOf", []), new.get("anyOf", []), strict=False):
            yield from self._schema(where, one, other, is_sent=is_sent)


def _content(part: Json) -> Json:
    kinds: Json = part.get("content", {})
    schema: Json = kinds.get("application/json", {}).get("schema", {})
    return schema


def _resolved(schema: Json, description: Json) -> Json:
    if "$ref" not in schema:
        return schema
    named: Json = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return named
