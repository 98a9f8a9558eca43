"""Draws a plot as text: Markdown viewers render it, and two runs can be compared in a diff."""


def bars(title: str, values: dict[str, float]) -> list[str]:
    names = ", ".join(f'"{name}"' for name in values)
    heights = ", ".join(f"{value:.2f}" for value in values.values())
    return [
        "```mermaid",
        "xychart-beta horizontal",
        f'  title "{title}"',
        f"  x-axis [{names}]",
        f"  y-axis 0 --> {max(values.values()) * 1.05:.2f}",
        f"  bar [{heights}]",
        "```",
    ]
