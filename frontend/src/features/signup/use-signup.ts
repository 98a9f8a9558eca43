import { useRef, useState } from 'react'
import type { NewPassphrase } from '@/features/companies'
import { useDialogPromise } from '@/hooks/use-dialog-promise'
import { isTicketRefused } from './api'
import { keepDraft, readDraft, type Draft } from './draft'
import { nextOf, previousOf, type Step } from './flow'

/** In memory only: a reload forgets it, and that is meant. */
export type Secrets = { password: string; confirmation: string; passphrase: NewPassphrase; card: string | null }

export type Beginning = { draft: Draft; lostSecrets: boolean; secrets?: Secrets }

export const noSecrets: Secrets = {
  password: '',
  confirmation: '',
  passphrase: { passphrase: '', again: '', understood: false },
  card: null,
}

/** Everything entered so far, and the two dialogs that any step may have to wait for. */
export function useSignup(begin: () => Beginning = readDraft) {
  const [start] = useState(begin)
  const [draft, setDraft] = useState(start.draft)
  const [secrets, setSecrets] = useState(start.secrets ?? noSecrets)
  const [moved, setMoved] = useState(false)
  // What runs across several renders reads the draft as it is then.
  const latest = useRef(draft)
  const ticketDialog = useDialogPromise<string>()
  const phoneDialog = useDialogPromise<undefined>()

  function update(change: Partial<Draft>) {
    latest.current = { ...latest.current, ...change }
    keepDraft(latest.current)
    setDraft(latest.current)
  }

  function goTo(step: Step) {
    setMoved(true)
    update({ step })
    window.scrollTo(0, 0)
  }

  /** What was verified under the former ticket does not count under this one. */
  function takeTicket(ticket: string) {
    update({ ticket, verifiedPhone: null })
  }

  async function renewTicket(): Promise<string> {
    const ticket = await ticketDialog.open()
    takeTicket(ticket)
    return ticket
  }

  /** A ticket that has run out is renewed in the middle of what one was doing. */
  async function withTicket<T>(work: (ticket: string) => Promise<T>): Promise<T> {
    try {
      return await work(latest.current.ticket ?? (await renewTicket()))
    } catch (error) {
      if (!isTicketRefused(error)) throw error
      return work(await renewTicket())
    }
  }

  return {
    draft,
    secrets,
    moved,
    lostSecrets: start.lostSecrets && !moved,
    latest: () => latest.current,
    update,
    keepSecrets: (change: Partial<Secrets>) => setSecrets((kept) => ({ ...kept, ...change })),
    goTo,
    goNext: () => goTo(nextOf(latest.current.step)),
    goBack: () => goTo(previousOf(latest.current.step)),
    takeTicket,
    renewTicket,
    withTicket,
    ticketDialog,
    phoneDialog,
  }
}

export type Signup = ReturnType<typeof useSignup>
