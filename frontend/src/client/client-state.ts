import { createStore, useStore } from '@/lib/create-store'
import type { Schemas } from './api'

export type SpaceInfo = Schemas['SpaceInfo']
export type Transfer = Schemas['TransferInfo']
export type Backup = Schemas['BackupInfo']
export type ConnectedFolder = Schemas['FolderInfo']
export type Verification = Schemas['VerificationInfo']
export type PageState = Schemas['PageState']

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
