export const NOT_CONNECTED = 0
export const CONNECTED = 1
export const ACTIVE = 2

/** From the worst to the best. */
export const STATUSES = [NOT_CONNECTED, CONNECTED, ACTIVE] as const

export type Status = (typeof STATUSES)[number]
