import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import {
  epochOf,
  makeCompanySecrets,
  openFormerPassphrase,
  openPassphrase,
  replaceCompanySecrets,
} from '@/crypto/company-secrets'
import { EnvelopeError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { normalisePassphrase } from '@/crypto/passphrase'
import { rememberEpoch, requireCurrentEpoch } from '@/crypto/seen-epochs'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useUnlock } from '@/hooks/use-unlock'
import { companyAlerts } from '../alerts'
import { getFormerPassphrase, getPassphrase, putPassphrase } from '../api'
import { SenderWordsNeededError } from '../handover/handover-error'

export type Intention = 'reveal' | 'change' | { former: number }
/**
 * Why a passphrase is entered: to replace the current one, as the first one, because no copy can be opened, or because
 * the key that was handed over cannot be.
 */
export type Why = 'change' | 'first' | 'again' | 'notReceived'

export type View =
  | { name: 'start' }
  | { name: 'unlock'; intention: Intention }
  | { name: 'shown'; text: string; pair: string }
  | { name: 'former'; text: string }
  /** The pair is the stored one, where this user holds a copy of its key; else the key holder may have one. */
  | { name: 'change'; why: Why; epoch: number; pair: string | null; keyHolder?: string | null }
  /** The key was handed over by somebody whose words this user has not compared yet. */
  | { name: 'sender'; sender: string; intention: 'reveal' | 'change'; epoch: number }
  | { name: 'kit'; text: string; epoch: number }

export type PassphraseFlow = ReturnType<typeof usePassphrase>

/** Opened and typed secrets are kept in this state only, and are dropped with the dialog. */
export function usePassphrase(user: User) {
  const { t } = useTranslation('company')
  const client = useQueryClient()
  const [view, setView] = useState<View>({ name: 'start' })

  async function load(intention: Intention) {
    if (typeof intention === 'object') return loadFormer(intention.former)
    const stored = await withVerification(getPassphrase)
    const epoch = stored.held ? epochOf(stored.pair) : stored.epoch
    requireCurrentEpoch(user.companyUuid, epoch)
    if (stored.held) await go(intention, epoch, stored.pair)
    else if (stored.handedOver) await receive(intention, epoch, null)
    else
      setView({ name: 'change', why: epoch === 0 ? 'first' : 'again', epoch, pair: null, keyHolder: stored.keyHolder })
  }

  async function go(intention: 'reveal' | 'change', epoch: number, pair: string) {
    if (intention === 'change') {
      setView({ name: 'change', why: 'change', epoch, pair })
      return
    }
    const text = await openPassphrase(pair, keyring)
    rememberEpoch(user.companyUuid, epoch)
    setView({ name: 'shown', text, pair })
  }

  /** Takes the key that was handed over. If it does not open, the passphrase is typed. */
  async function receive(intention: 'reveal' | 'change', epoch: number, senderWords: string | null) {
    const { receiveKey } = await import('./receive-key')
    let pair
    try {
      pair = await receiveKey(senderWords)
    } catch (error) {
      if (error instanceof EnvelopeError) setView({ name: 'change', why: 'notReceived', epoch, pair: null })
      else if (error instanceof SenderWordsNeededError)
        setView({ name: 'sender', sender: error.sender, intention, epoch })
      else throw error
      return
    }
    toast.success(t('passphrase.received'))
    void client.invalidateQueries({ queryKey: companyAlerts.queryKey })
    await go(intention, epoch, pair)
  }

  async function loadFormer(epoch: number) {
    const sealed = await withVerification(() => getFormerPassphrase(epoch))
    const current = epochOf(sealed.companyKey)
    requireCurrentEpoch(user.companyUuid, current)
    const text = await openFormerPassphrase(sealed, epoch, keyring)
    rememberEpoch(user.companyUuid, current)
    setView({ name: 'former', text })
  }

  const ask = useSecretMutation(async (intention: Intention) => {
    if (view.name === 'shown' && intention === 'change') {
      setView({ name: 'change', why: 'change', epoch: epochOf(view.pair), pair: view.pair })
    } else if (keyring.isUnlocked()) await load(intention)
    else setView({ name: 'unlock', intention })
  })

  const unlocking = useUnlock(user, async () => {
    if (view.name === 'unlock') await load(view.intention)
  })

  const compare = useSecretMutation(async (senderWords: string) => {
    if (view.name !== 'sender') return
    await receive(view.intention, view.epoch, senderWords)
  })

  const save = useSecretMutation(async (typed: string) => {
    if (view.name !== 'change') return
    const epoch = view.epoch + 1
    const text = normalisePassphrase(typed)
    const { pair, formerKey } = view.pair
      ? await replaceCompanySecrets(text, view.pair, keyring)
      : { pair: await makeCompanySecrets(text, keyring.ids(), keyring.userKey(), epoch), formerKey: null }
    try {
      await withVerification(() => putPassphrase(pair, formerKey))
    } catch (error) {
      // Changed elsewhere meanwhile: the user sees the error, and saving again replaces that one.
      if (error instanceof ApiError && error.code === 'passphrase_epoch_stale') {
        requireCurrentEpoch(user.companyUuid, Number(error.details.epoch))
        await load('change')
      }
      throw error
    }
    rememberEpoch(user.companyUuid, epoch)
    toast.success(t('passphrase.changed'))
    void client.invalidateQueries({ queryKey: companyAlerts.queryKey })
    setView({ name: 'kit', text, epoch })
  })

  return { view, ask, ...unlocking, compare, save, hide: () => setView({ name: 'start' }) }
}
