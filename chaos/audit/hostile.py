"""Audits what the hostile member wrote: all of it is set aside and named, and nothing else is."""

from chaos.file_company import FileCompany


async def compare_set_aside(company: FileCompany) -> list[str]:
    """Compares what `tess status` says with what was sent, for the leader and for a member."""
    findings: list[str] = []
    author = company.hostile.uuid
    for reader in (company.leader, company.members[0]):
        status = await reader.computer.run("status")
        (end,) = status["ends"]
        shown = {each["entry"]: each for each in end["skipped"]}
        findings += [
            f"hostile member: {name} (entry {sequence}) is not set aside"
            for sequence, name in company.hostile.senseless.items()
            if sequence not in shown
        ]
        findings += [
            f"hostile member: an entry of somebody else is set aside: {each}"
            for each in shown.values()
            if each["author"] != author or each["verdict"] == "missing"
        ]
        named = " ".join(status["warnings"])
        if company.hostile.senseless and author not in named:
            findings.append(f"hostile member: not named by status: {named[:300]}")
        company.counts["hostile, set aside"] = len(shown)
    return findings
