import { onSignOut } from '@/api/session'
import { createStore, useStore } from './create-store'

export type ThemeChoice = 'light' | 'dark' | 'system'

export type Settings = {
  menuSide: 'start' | 'end'
  folded: boolean
  width: 'full' | 'boxed'
  theme: ThemeChoice
  pins: string[]
}

export const SETTINGS_KEY = 'tessera.settings'

export const DEFAULT_SETTINGS: Settings = {
  menuSide: 'start',
  folded: false,
  width: 'full',
  theme: 'system',
  pins: [],
}

// What is stored may come from an older version or from a person's own hands,
// so each field is taken only when it still makes sense.
function parse(text: string | null): Settings {
  if (!text) return DEFAULT_SETTINGS
  try {
    const raw = JSON.parse(text) as Partial<Record<keyof Settings, unknown>> | null
    if (typeof raw !== 'object' || raw === null) return DEFAULT_SETTINGS
    return {
      menuSide: raw.menuSide === 'end' ? 'end' : 'start',
      folded: raw.folded === true,
      width: raw.width === 'boxed' ? 'boxed' : 'full',
      theme: raw.theme === 'light' || raw.theme === 'dark' ? raw.theme : 'system',
      pins: Array.isArray(raw.pins) ? raw.pins.filter((pin) => typeof pin === 'string') : [],
    }
  } catch {
    return DEFAULT_SETTINGS
  }
}

// Storage can be refused by the browser; the settings then last for the visit.
function readStored(): Settings {
  try {
    return parse(localStorage.getItem(SETTINGS_KEY))
  } catch {
    return DEFAULT_SETTINGS
  }
}

const store = createStore(readStored())

export const settingsStore = {
  get: store.get,
  subscribe: store.subscribe,
  update(patch: Partial<Settings>): void {
    const next = { ...store.get(), ...patch }
    try {
      localStorage.setItem(SETTINGS_KEY, JSON.stringify(next))
    } catch {
      // Kept in memory only.
    }
    store.set(next)
  },
  clear(): void {
    try {
      localStorage.removeItem(SETTINGS_KEY)
    } catch {
      // Nothing was stored.
    }
    store.set(DEFAULT_SETTINGS)
  },
}

// `key` is null when another tab cleared the whole storage.
window.addEventListener('storage', (event) => {
  if (event.key === SETTINGS_KEY || event.key === null) store.set(readStored())
})

onSignOut(settingsStore.clear)

export function useSettings(): Settings {
  return useStore(settingsStore)
}
