export type IdleLimits = {
  /** Without any activity for so long, one is asked whether one is still there. */
  idle: number
  /** And this long after that, logged out. */
  countdown: number
  /** Activity that sends no request is told to the server this often, so that its own limit does not strike first. */
  keepAlive: number
}

const second = 1000
const minute = 60 * second

export const IDLE_LIMITS: IdleLimits = { idle: 15 * minute, countdown: 30 * second, keepAlive: 5 * minute }
