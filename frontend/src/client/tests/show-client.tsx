import { act } from '@testing-library/react'
import { vi } from 'vitest'
import { i18n } from '@/i18n/i18n'
import { renderWithProviders } from '@/testing/render'
import { App } from '../App'
import { followProgram, type Backup, type ConnectedFolder, type PageState, type Verification } from '../client-state'
import { escapeNames } from '../escape-names'

export const SPACE = '0a8f2d3e-0000-4000-8000-000000000001'

const READY: PageState = {
  phase: 'ready',
  problem: null,
  version: '0.7.7',
  device: 'laptop',
  account: {
    origin: 'https://tessera.test',
    email: 'ada@tessera.test',
    name: 'Ada Lindqvist',
    company: 'Northwind',
    device: 'laptop',
    isLeader: true,
    words: ['zoo', 'zoo', 'zoo', 'zoo', 'zoo', 'zoo'],
    leader: null,
    isLeaderTrusted: true,
  },
  spaces: [{ id: SPACE, name: 'Designs', revision: 1, isLeader: true, members: 1, files: 2, bytes: 3_000_000 }],
  usage: { quota: 25e9, used: 1e9, left: 24e9 },
  notes: [],
  health: {
    recovery: { kitCounter: 1, isKitCurrent: true, isKitConfirmed: true },
    packs: 2,
    degraded: 0,
    lost: 0,
    notSafe: 0,
    warehouses: [
      { id: 1, name: 'S3', typeName: 'S3', status: 2, shards: 2, missing: 0, isPlaced: true, lastCheck: null },
      { id: 2, name: 'Azure', typeName: 'Azure', status: 2, shards: 2, missing: 0, isPlaced: true, lastCheck: null },
      { id: 3, name: 'Google', typeName: 'Google', status: 2, shards: 2, missing: 0, isPlaced: true, lastCheck: null },
    ],
  },
  transfers: [],
  isPaused: false,
  backups: { problem: null, rows: [] },
  folders: { problem: null, service: 'running', rows: [] },
  verification: null,
  sharing: null,
  receiving: null,
  settings: { bandwidth: null, lockAfter: null, language: null, theme: null, notifications: true },
}

/** A run of the verification that has found nothing. */
export const VERIFICATION: Verification = {
  state: 'done',
  done: 1,
  size: 1,
  time: 1,
  code: '',
  message: '',
  packs: 0,
  degraded: 0,
  affected: 0,
  files: [],
}

export const BACKUP: Backup = {
  id: 'a1',
  name: 'Documents',
  folder: '/home/ada/Documents',
  space: SPACE,
  path: 'laptop/Documents',
  exclude: ['*.tmp'],
  isWatched: true,
  state: null,
  lastRun: null,
  every: null,
  at: '',
  remindAfter: null,
  reportedAt: 0,
  nextRun: null,
}

export const FOLDER: ConnectedFolder = {
  id: '00112233445566ff',
  kind: 'sync',
  name: 'Documents',
  folder: '/home/ada/Documents',
  space: SPACE,
  path: '/laptop',
  excluded: ['/Videos', '*.tmp'],
  subfolders: ['Videos'],
  patterns: ['*.tmp'],
  paused: false,
  state: 'current',
  waiting: 0,
  conflicts: 0,
  problem: null,
  at: Date.UTC(2026, 10, 18, 12),
}

/** Stands in for the program's event stream. */
class Events {
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
}

/** Opens the client's page in a state; returns functions that change it and end the program. */
export function showClient(path: string, change: Partial<PageState> = {}) {
  let events = new Events()
  vi.stubGlobal(
    'EventSource',
    vi.fn(function connect() {
      events = new Events()
      return events
    }),
  )
  escapeNames(i18n)
  followProgram()
  const show = (next: Partial<PageState>) =>
    act(() => events.onmessage?.({ data: JSON.stringify({ ...READY, ...next }) }))
  show(change)
  renderWithProviders(<App />, { path, withToasts: true })
  return { show, end: () => act(() => events.onerror?.()) }
}

export function healthWith(change: Partial<NonNullable<PageState['health']>>): PageState['health'] {
  return READY.health && { ...READY.health, ...change }
}
