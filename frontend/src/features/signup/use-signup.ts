import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { takeLinkToken } from '@/api/link-token'
import type { NewPassphrase } from '@/features/companies'
import { useDialogPromise } from '@/hooks/use-dialog-promise'
import { isTicketRefused, newTicket } from './api'
import { keepDraft, readDraft, type Draft } from './draft'
import { isAfter, nextOf, type Step } from './flow'
import { useStep } from './use-step'

/** In memory only: a reload forgets it, and that is meant. */
export type Secrets = { password: string; confirmation: string; passphrase: NewPassphrase; card: string | null }

export type Beginning = { draft: Draft; lostSecrets: boolean; secrets?: Secrets }

export const noSecrets: Secrets = {
  password: '',
  confirmation: '',
  passphrase: { passphrase: '', again: '', understood: false },
  card: null,
}

/** Everything entered so far, the step that is shown, and the dialogs that may stand over any step. */
export function useSignup(begin: () => Beginning = readDraft) {
  const [start] = useState(begin)
  const [draft, setDraft] = useState(start.draft)
  const [secrets, setSecrets] = useState(start.secrets ?? noSecrets)
  const [agreed, setAgreed] = useState(false)
  const [askedToLeave, setAskedToLeave] = useState(false)
  // What runs across several renders reads the draft as it is then.
  const latest = useRef(draft)
  const ticketDialog = useDialogPromise<string>()
  const phoneDialog = useDialogPromise<undefined>()
  const history = useStep(draft.step)
  const { step, moved, editing } = history
  const begun = draft.ticket !== null

  const closeDialogs = useEffectEvent(() => {
    ticketDialog.cancel()
    phoneDialog.cancel()
  })
  useEffect(() => () => closeDialogs(), [step])

  useEffect(() => {
    if (!begun) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [begun])

  function update(change: Partial<Draft>) {
    latest.current = { ...latest.current, ...change }
    keepDraft(latest.current)
    setDraft(latest.current)
  }

  function goTo(next: Step) {
    if (isAfter(next, latest.current.step)) update({ step: next })
    history.goTo(next)
    window.scrollTo(0, 0)
  }

  function stay() {
    setAskedToLeave(false)
    if (history.atStart) history.goForward()
  }

  /** What was verified under the former ticket does not count under this one. */
  function takeTicket(ticket: string) {
    update({ ticket, verifiedPhone: null })
  }

  async function renewTicket(): Promise<string> {
    // Those who began without the registration password cannot be asked for it.
    const ticket = await newTicket(takeLinkToken()).catch(() => ticketDialog.open())
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
    step,
    moved,
    begun,
    agreed,
    setAgreed,
    lostSecrets: start.lostSecrets && !moved,
    latest: () => latest.current,
    update,
    keepSecrets: (change: Partial<Secrets>) => setSecrets((kept) => ({ ...kept, ...change })),
    goTo,
    goNext: () => (editing ? history.goBack() : goTo(nextOf(step))),
    goBack: history.goBack,
    takeTicket,
    renewTicket,
    withTicket,
    ticketDialog,
    phoneDialog,
    leaveDialog: {
      isOpen: askedToLeave || (begun && history.atStart),
      open: () => setAskedToLeave(true),
      stay,
      leave: history.leave,
    },
  }
}

export type Signup = ReturnType<typeof useSignup>

export type StepProps = { signup: Signup }
