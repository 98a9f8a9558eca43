import { onSignOut } from '@/api/session'

export const PAGE_SIZES_KEY = 'tessera.pageSizes'

/** The page sizes that were chosen, by the names of their lists. Kept until logout, like other settings. */
function readSizes(): Record<string, unknown> {
  try {
    const raw: unknown = JSON.parse(localStorage.getItem(PAGE_SIZES_KEY) ?? '{}')
    return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export function rememberedSize(list: string): number | undefined {
  const size = readSizes()[list]
  return typeof size === 'number' ? size : undefined
}

export function rememberSize(list: string, size: number): void {
  try {
    localStorage.setItem(PAGE_SIZES_KEY, JSON.stringify({ ...readSizes(), [list]: size }))
  } catch {
    // The address holds it.
  }
}

onSignOut(() => {
  try {
    localStorage.removeItem(PAGE_SIZES_KEY)
  } catch {
    // Nothing was stored.
  }
})
