const second = 1000
const minute = 60 * second

export const IDLE_LIMITS: IdleLimits = { idle: 15 * minute, countdown: 30 * second, keepAlive: 5 * minute }

const name = 'tessera.activity'

type Hooks = {
  onChange: (endsAt: number | null) => void
  onEnd: () => void
  onKeepAlive: () => void
}

// Activity is noted at most this often; a mouse moves a hundred times a second.
const grain = 1000

/**
 * Watches for inactivity across all tabs. Everything is derived from the time of the last activity
 * and the clock; timers only say when to check again, so that a laptop that slept through the
 * countdown is logged out when it wakes.
 */
export class IdleWatch {
  #last = Date.now()
  #reported = Date.now()
  #warning = false
  #ended = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #pulse: ReturnType<typeof setTimeout> | undefined
  readonly #channel: TabChannel

  constructor(
    private readonly hooks: Hooks,
    private readonly limits: IdleLimits = IDLE_LIMITS,
  ) {
    this.#channel = openTabChannel((moment) => this.#hear(moment))
    this.#channel.tell(this.#last)
    this.look()
  }

  /** Activity in this tab. While the dialog is open, only its answer counts. */
  noteActivity(): void {
    this.look()
    if (this.#ended || this.#warning || Date.now() - this.#last < grain) return
    this.#renew()
  }

  stay(): void {
    this.look()
    if (this.#ended) return
    this.#renew()
    this.#keepAlive()
  }

  stop(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    clearTimeout(this.#pulse)
    this.#channel.close()
  }

  /** Compares the last activity with the clock. */
  look(): void {
    if (this.#ended) return
    const { idle, countdown } = this.limits
    const passed = Date.now() - this.#last
    if (passed >= idle + countdown) {
      this.stop()
      this.hooks.onEnd()
      return
    }
    const warning = passed >= idle
    if (warning !== this.#warning) {
      this.#warning = warning
      this.hooks.onChange(warning ? this.#last + idle + countdown : null)
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.look(), (warning ? idle + countdown : idle) - passed)
  }

  #renew(): void {
    this.#last = Date.now()
    this.#channel.tell(this.#last)
    this.look()
    // Delayed, so that the server learns of the last activity, not of the first.
    this.#pulse ??= setTimeout(
      () => this.#keepAlive(),
      Math.max(0, this.#reported + this.limits.keepAlive - Date.now()),
    )
  }

  #keepAlive(): void {
    clearTimeout(this.#pulse)
    this.#pulse = undefined
    this.look()
    if (this.#ended) return
    this.#reported = Date.now()
    this.hooks.onKeepAlive()
  }

  #hear(moment: number): void {
    if (this.#ended || moment <= this.#last) return
    this.#last = Math.min(moment, Date.now())
    this.look()
  }
}

type IdleLimits = {
  /** Inactivity after which the dialog opens. */
  idle: number
  /** How long the dialog stays open before the logout. */
  countdown: number
  /** How often activity is reported to the server, so that its own limit is not reached first. */
  keepAlive: number
}

/** Tells other tabs the time of the last activity; in older browsers by storage events. */
type TabChannel = { tell: (moment: number) => void; close: () => void }

function openTabChannel(onTold: (moment: number) => void): TabChannel {
  return 'BroadcastChannel' in window ? byBroadcast(onTold) : byStorage(onTold)
}

function byBroadcast(onTold: (moment: number) => void): TabChannel {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') onTold(data)
  }
  return { tell: (moment) => channel.postMessage(moment), close: () => channel.close() }
}

function byStorage(onTold: (moment: number) => void): TabChannel {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === name && newValue) onTold(Number(newValue))
  }
  window.addEventListener('storage', listen)
  return {
    tell(moment) {
      try {
        // Removed at once: the event is enough.
        localStorage.setItem(name, String(moment))
        localStorage.removeItem(name)
      } catch {
        // Without storage, each tab counts for itself.
      }
    },
    close: () => window.removeEventListener('storage', listen),
  }
}
