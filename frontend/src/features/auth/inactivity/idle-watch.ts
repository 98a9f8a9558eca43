const second = 1000
const minute = 60 * second

export const IDLE_LIMITS: IdleLimits = { idle: 15 * minute, countdown: 30 * second, keepAlive: 5 * minute }

const name = 'tessera.activity'

type Hooks = {
  onChange: (endsAt: number | null) => void
  onEnd: () => void
  onKeepAlive: () => void
}

// More often than this nobody's activity is noted; a mouse moves a hundred times a second.
const grain = 1000

/**
 * Watches how long nobody has touched any tab. Everything follows from one moment, the last
 * activity, compared with the clock: timers only say when to look again, so that a laptop that
 * slept through the countdown is logged out as it wakes.
 */
export class IdleWatch {
  #last = Date.now()
  #told = Date.now()
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

  /** Something happened in this tab. While the question is on screen only its answer counts. */
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

  /** Compares with the clock, now. */
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
    // Told late rather than not at all: the server has to hear of the last activity, not of the first.
    this.#pulse ??= setTimeout(() => this.#keepAlive(), Math.max(0, this.#told + this.limits.keepAlive - Date.now()))
  }

  #keepAlive(): void {
    clearTimeout(this.#pulse)
    this.#pulse = undefined
    this.look()
    if (this.#ended) return
    this.#told = Date.now()
    this.hooks.onKeepAlive()
  }

  #hear(moment: number): void {
    if (this.#ended || moment <= this.#last) return
    this.#last = Math.min(moment, Date.now())
    this.look()
  }
}

type IdleLimits = {
  /** Without any activity for so long, one is asked whether one is still there. */
  idle: number
  /** And this long after that, logged out. */
  countdown: number
  /** Activity that sends no request is told to the server this often, so that its own limit does not strike first. */
  keepAlive: number
}

/** Tells the other tabs when somebody was last active. Older browsers do it by way of the storage. */
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
        // Taken back at once: the event has told it, and nothing stays behind.
        localStorage.setItem(name, String(moment))
        localStorage.removeItem(name)
      } catch {
        // Each tab for itself, then.
      }
    },
    close: () => window.removeEventListener('storage', listen),
  }
}
