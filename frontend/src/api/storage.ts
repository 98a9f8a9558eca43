// A browser may refuse storage altogether; the public pages work without it.

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Kept for this page only.
  }
}

export function clearVisit(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Nothing was kept.
  }
}
