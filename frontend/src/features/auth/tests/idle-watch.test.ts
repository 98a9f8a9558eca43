import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdleWatch } from '../inactivity/idle-watch'

const second = 1000
const minute = 60 * second
const watches: IdleWatch[] = []

// Tabs talk at once here; jsdom has no channel between tabs.
class Channel {
  static open = new Set<Channel>()
  onmessage: ((event: { data: unknown }) => void) | null = null

  constructor() {
    Channel.open.add(this)
  }

  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) other.onmessage?.({ data })
  }

  close(): void {
    Channel.open.delete(this)
  }
}

function aTab() {
  const hooks = { onChange: vi.fn(), onEnd: vi.fn(), onKeepAlive: vi.fn() }
  const watch = new IdleWatch(hooks)
  watches.push(watch)
  return { watch, ...hooks }
}

const pass = (time: number) => vi.advanceTimersByTime(time)

/** The machine sleeps: the clock goes on, no timer fires. */
const sleep = (time: number) => vi.setSystemTime(Date.now() + time)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
})

afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('IdleWatch', () => {
  // Specification: 4.13, 9.6, 9.7
  it('asks after 15 minutes and ends 30 seconds later', () => {
    const { onChange, onEnd } = aTab()
    pass(15 * minute - 1)
    expect(onChange).not.toHaveBeenCalled()
    pass(1)
    expect(onChange).toHaveBeenCalledExactlyOnceWith(Date.now() + 30 * second)
    pass(30 * second - 1)
    expect(onEnd).not.toHaveBeenCalled()
    pass(1)
    expect(onEnd).toHaveBeenCalledOnce()
  })

  it('starts again with every activity', () => {
    const { watch, onChange } = aTab()
    for (let round = 0; round < 5; round += 1) {
      pass(14 * minute)
      watch.noteActivity()
    }
    expect(onChange).not.toHaveBeenCalled()
  })

  it('ignores activity while the dialog asks', () => {
    const { watch, onChange, onEnd } = aTab()
    pass(15 * minute + 5 * second)
    watch.noteActivity()
    expect(onChange).toHaveBeenCalledTimes(1)
    watch.stay()
    expect(onChange).toHaveBeenLastCalledWith(null)
    pass(14 * minute)
    expect(onEnd).not.toHaveBeenCalled()
  })

  it('ends the session when a laptop wakes after the limit', () => {
    const { watch, onEnd } = aTab()
    pass(minute)
    sleep(40 * minute)
    watch.noteActivity()
    expect(onEnd).toHaveBeenCalledOnce()
    watch.stay()
    pass(hours(2))
    expect(onEnd).toHaveBeenCalledOnce()
  })

  it('is kept alive by another tab, and asks in all of them', () => {
    const one = aTab()
    const other = aTab()
    pass(10 * minute)
    one.watch.noteActivity()
    pass(10 * minute)
    expect(other.onChange).not.toHaveBeenCalled()
    pass(5 * minute)
    expect(one.onChange).toHaveBeenCalledTimes(1)
    expect(other.onChange).toHaveBeenCalledTimes(1)
    one.watch.stay()
    expect(other.onChange).toHaveBeenLastCalledWith(null)
    pass(15 * minute + 30 * second)
    expect(one.onEnd).toHaveBeenCalledOnce()
    expect(other.onEnd).toHaveBeenCalledOnce()
  })

  it('uses the storage where there is no channel, and leaves nothing there', () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    Reflect.deleteProperty(window, 'BroadcastChannel')
    const { onChange } = aTab()
    pass(10 * minute)
    const newValue = String(Date.now())
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.activity', newValue }))
    pass(10 * minute)
    expect(onChange).not.toHaveBeenCalled()
    expect(localStorage.getItem('tessera.activity')).toBeNull()
  })

  it('tells the server of activity at most every five minutes, and of the last one for sure', () => {
    const { watch, onKeepAlive } = aTab()
    for (let at = 0; at < 10 * minute; at += 10 * second) {
      pass(10 * second)
      watch.noteActivity()
    }
    expect(onKeepAlive.mock.calls.length).toBeLessThanOrEqual(2)
    onKeepAlive.mockClear()
    pass(5 * minute)
    expect(onKeepAlive.mock.calls.length).toBeLessThanOrEqual(1)
    onKeepAlive.mockClear()
    pass(9 * minute)
    expect(onKeepAlive).not.toHaveBeenCalled()
    pass(minute)
    watch.stay()
    expect(onKeepAlive).toHaveBeenCalledOnce()
  })

  it('never lets the server forget sooner than the browser does', () => {
    const { watch, onKeepAlive, onEnd } = aTab()
    let heard = Date.now()
    onKeepAlive.mockImplementation(() => {
      heard = Date.now()
    })
    pass(4 * minute + 59 * second)
    watch.noteActivity()
    onEnd.mockImplementation(() => {
      expect(Date.now() - heard).toBeLessThanOrEqual(15 * minute + 30 * second)
    })
    pass(20 * minute)
    expect(onEnd).toHaveBeenCalledOnce()
  })
})

function hours(count: number): number {
  return count * 60 * minute
}
