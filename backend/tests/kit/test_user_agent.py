import pytest

from tessera.kit.user_agent import device_of

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8)"
CHROMEOS = "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)"


@pytest.mark.parametrize(
    ("header", "browser", "system"),
    [
        (f"{WINDOWS} {WEBKIT} Chrome/126.0.0.0 Safari/537.36", "Chrome", "Windows"),
        (f"{WINDOWS} {WEBKIT} Chrome/126.0 Safari/537.36 Edg/126.0", "Edge", "Windows"),
        (f"{MAC} AppleWebKit/605.1.15 (KHTML) Version/17.4 Safari/605.1.15", "Safari", "macOS"),
        (f"{MAC} {WEBKIT} Chrome/126.0 Safari/537.36 OPR/112.0", "Opera", "macOS"),
        (f"{IPHONE} AppleWebKit (KHTML) Version/17.4 Mobile/15E1 Safari/604.1", "Safari", "iPhone"),
        (f"{IPHONE} AppleWebKit (KHTML) CriOS/126.0 Mobile/15E1 Safari/604.1", "Chrome", "iPhone"),
        (f"{ANDROID} {WEBKIT} Chrome/126.0 Mobile Safari/537.36", "Chrome", "Android"),
        (
            f"{ANDROID} {WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36",
            "Samsung Internet",
            "Android",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0", "Firefox", "Linux"),
        (f"{CHROMEOS} {WEBKIT} Chrome/126.0 Safari/537.36", "Chrome", "ChromeOS"),
        ("python-httpx/0.28.1", "", ""),
        ("", "", ""),
    ],
)
def test_browsers_and_systems_are_recognised(header: str, browser: str, system: str) -> None:
    device = device_of(header)
    assert (device.browser, device.system) == (browser, system)


def test_nothing_else_of_the_header_is_kept() -> None:
    device = device_of(f"{WINDOWS} {WEBKIT} Chrome/126.0.6478.61 <script>alert(1)</script>")
    assert str(device) == "Chrome, Windows"
