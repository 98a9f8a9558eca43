import * as z from 'zod/mini'
import { DEFAULT_COUNTRY } from '@/components/phone/default-country'
import type { Ids } from '@/crypto/headers'
import type { CompanyForm } from '@/features/companies'
import { resumeAt, steps, type Step } from './flow'
import type { Person } from './person'

export type PersonDraft = Omit<Person, 'password' | 'confirmation'>

/** What survives a reload. No password, passphrase or card is ever part of it. */
export type Draft = {
  /** The furthest one that was reached. */
  step: Step
  ticket: string | null
  ids: Ids
  company: CompanyForm
  person: PersonDraft
  billingEmail: string | null
  /** The number that a code was typed in for, under the current ticket. */
  verifiedPhone: string | null
  /** The address that was last found to be free. */
  freeEmail: string | null
}

const storageKey = 'tessera.signup'
const country = z.custom<CompanyForm['country']>((value) => typeof value === 'string')
const text = z.string()

const stored = z.object({
  step: z.enum(steps),
  ticket: z.nullable(text),
  ids: z.object({ uid: text, cid: text }),
  company: z.object({
    name: text,
    email: text,
    country,
    number: text,
    addressLine1: text,
    addressLine2: text,
    city: text,
    state: text,
    zip: text,
  }),
  person: z.object({ firstName: text, lastName: text, email: text, country, number: text }),
  billingEmail: z.nullable(text),
  verifiedPhone: z.nullable(text),
  freeEmail: z.nullable(text),
})

export function newDraft(): Draft {
  const phone = { country: DEFAULT_COUNTRY, number: '' }
  const address = { addressLine1: '', addressLine2: '', city: '', state: '', zip: '' }
  return {
    step: 'password',
    ticket: null,
    ids: { uid: crypto.randomUUID(), cid: crypto.randomUUID() },
    company: { name: '', email: '', ...phone, ...address },
    person: { firstName: '', lastName: '', email: '', ...phone },
    billingEmail: null,
    verifiedPhone: null,
    freeEmail: null,
  }
}

/** The draft of this tab, and whether something has to be typed in again. */
export function readDraft(): { draft: Draft; lostSecrets: boolean } {
  try {
    const draft = stored.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? ''))
    const step = resumeAt(draft.step, draft.ticket !== null)
    return { draft: { ...draft, step }, lostSecrets: step === 'leader' }
  } catch {
    return { draft: newDraft(), lostSecrets: false }
  }
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft))
  } catch {
    // Lasts for this page only, then.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing was kept.
  }
}
