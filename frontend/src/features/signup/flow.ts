/** What the one plan on sale costs and brings; registration names it by its id. */
export const plan = { id: 5, cents: 75_000, currency: 'usd', trialDays: 30, clouds: 3, gigabytes: 25 } as const

/** The screens in their order. Between the passphrase and the plan the card is entered. */
export const steps = ['password', 'company', 'leader', 'passphrase', 'payment', 'plan', 'submit'] as const
export type Step = (typeof steps)[number]

// Only one plan is on sale, so there is nothing to choose.
const skipped: ReadonlySet<Step> = new Set(['plan'])
const taken = steps.filter((step) => !skipped.has(step))

/** What the stepper shows: entering the card counts as part of the plan. */
export const labels = ['password', 'company', 'leader', 'passphrase', 'plan', 'submit'] as const

export function labelIndex(step: Step): number {
  return labels.indexOf(step === 'payment' ? 'plan' : step)
}

export function isAfter(step: Step, other: Step): boolean {
  return steps.indexOf(step) > steps.indexOf(other)
}

export function nextOf(step: Step): Step {
  return taken.find((later) => isAfter(later, step)) ?? step
}

export function previousOf(step: Step): Step {
  return taken.findLast((earlier) => isAfter(step, earlier)) ?? step
}

/** Where to go on after a reload: what was secret has to be typed in again, from the team leader's password on. */
export function resumeAt(step: Step, hasTicket: boolean): Step {
  if (!hasTicket) return 'password'
  return isAfter(step, 'leader') ? 'leader' : step
}
