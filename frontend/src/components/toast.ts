import { createStore } from '@/lib/create-store'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'
/** `detail` is a second line. */
export type Toast = { id: number; kind: ToastKind; text: string; detail?: string | undefined }

const productDuration = 3000
const defaultDuration = 6000

type Clock = { left: number; since: number; timer: ReturnType<typeof setTimeout> | undefined }

const store = createStore<readonly Toast[]>([])
let nextId = 1
let paused = false
const clocks = new Map<number, Clock>()

function run(id: number, clock: Clock): void {
  clock.since = Date.now()
  clock.timer = setTimeout(() => {
    toastStore.dismiss(id)
  }, clock.left)
}

function show(kind: ToastKind, text: string, duration: number, detail?: string): void {
  const id = nextId++
  const clock: Clock = { left: duration, since: Date.now(), timer: undefined }
  clocks.set(id, clock)
  if (!paused) run(id, clock)
  // A repeated message replaces the one that is shown.
  for (const twin of store.get().filter((item) => item.kind === kind && item.text === text)) toastStore.dismiss(twin.id)
  store.set([...store.get(), { id, kind, text, detail }])
}

export const toastStore = {
  get: store.get,
  subscribe: store.subscribe,
  dismiss(id: number): void {
    clearTimeout(clocks.get(id)?.timer)
    clocks.delete(id)
    store.set(store.get().filter((item) => item.id !== id))
    if (store.get().length === 0) paused = false
  },
  /** Pauses the timer while the toast is hovered or focused. */
  pause(): void {
    if (paused) return
    paused = true
    for (const clock of clocks.values()) {
      clearTimeout(clock.timer)
      clock.left -= Date.now() - clock.since
    }
  },
  resume(): void {
    if (!paused) return
    paused = false
    for (const [id, clock] of clocks) run(id, clock)
  },
}

export const toast = {
  success(text: string, detail?: string): void {
    show('success', text, productDuration, detail)
  },
  error(text: string): void {
    show('error', text, productDuration)
  },
  warning(text: string): void {
    show('warning', text, productDuration)
  },
  info(text: string): void {
    show('info', text, defaultDuration)
  },
}
