/** What the one plan on sale costs and brings; registration names it by its id. */
export const plan = { id: 5, cents: 75_000, currency: 'usd', trialDays: 30, clouds: 3, gigabytes: 25 } as const
