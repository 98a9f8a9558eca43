import { createStore, useStore } from '@/lib/create-store'

export type SpaceInfo = {
  id: string
  name: string
  /** Changes with the content. */
  revision: number
  isLeader: boolean
  members: number
  files: number
  bytes: number
}

export type TransferState = 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'

export type Transfer = {
  id: number
  kind: 'upload' | 'download' | 'backup'
  space: string
  path: string
  target: string | null
  size: number
  done: number
  state: TransferState
  message: string
  /** Why it failed; empty otherwise. */
  code: string
  isSafe: boolean
  /** What a download has written under other names. */
  renamed: { path: string; name: string }[]
}

export type Backup = {
  id: string
  name: string
  folder: string
  space: string
  path: string
  exclude: string[]
  isWatched: boolean
  /** Null while no run waits or is under way. */
  state: 'waiting' | 'running' | 'paused' | null
  lastRun: {
    time: number
    stored: number
    unchanged: number
    bytes: number
    notSafe: number
    failed: number
    problems: string[]
    code: string
    message: string
  } | null
}

export type Verification = {
  state: 'running' | 'done' | 'failed' | 'cancelled'
  done: number
  size: number
  time?: number
  code?: string
  message?: string
  packs?: number
  degraded?: number
  /** How many files cannot be read; the first of them are named. */
  affected?: number
  files?: { space: string; path: string }[]
}

export type Warehouse = {
  id: number
  name: string
  /** 0 not connected, 1 connected, 2 active. */
  status: 0 | 1 | 2
  shards: number
  missing: number
  isPlaced: boolean
  lastCheck: string | null
}

export type PageState = {
  phase: 'loggedOut' | 'locked' | 'starting' | 'waiting' | 'ready'
  problem: { code: string; message: string } | null
  version: string
  device: string
  account: {
    origin: string
    email: string
    name: string
    company: string
    device: string
    isLeader?: boolean
    words?: string[]
    leader?: { name: string; email: string } | null
    isLeaderTrusted?: boolean
  } | null
  spaces: SpaceInfo[]
  usage: { quota: number; used: number; left: number; renewsAt: string; stored: number } | null
  health: { packs: number; degraded: number; lost: number; notSafe: number; warehouses: Warehouse[] } | null
  /** Spaces that do not open, and changes that were left out, in words. */
  notes: string[]
  transfers: Transfer[]
  isPaused: boolean
  /** Null until the list is read. */
  backups: { problem: { code: string; message: string } | null; rows: Backup[] } | null
  verification: Verification | null
  settings: { bandwidth: number | null; lockAfter: number | null }
}

type Connection = { state: PageState | null; isLost: boolean }

const store = createStore<Connection>({ state: null, isLost: false })

export function usePage(): Connection {
  return useStore(store)
}

/** For pages that are shown only once the state is known. */
export function usePageState(): PageState {
  const { state } = usePage()
  if (!state) throw new Error('The page state is not known yet')
  return state
}

/** Follows the program on this computer until the window closes. */
export function followProgram(): void {
  const events = new EventSource('/api/events')
  events.onmessage = (event: MessageEvent<string>) => {
    store.set({ state: JSON.parse(event.data) as PageState, isLost: false })
  }
  events.onerror = () => {
    store.set({ ...store.get(), isLost: true })
  }
}
