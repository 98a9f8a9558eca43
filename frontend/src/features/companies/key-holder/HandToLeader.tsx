import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { SenderWordsNeededError } from '../handover/handover-error'
import type { Typed } from '../handover/typed'
import { SenderForm } from '../passphrase/SenderForm'
import { handKeyToLeader, heldKeyQuery } from './api'
import { SealForm } from './SealForm'
import type { Leader } from './use-held-key'

type Props = { user: User; leader: Leader; onBack: () => void }

/** The second holder's browser seals the company key to the leader's keys. */
export function HandToLeader({ user, leader, onBack }: Props) {
  const { t } = useTranslation('company')
  const client = useQueryClient()
  const { name } = leader
  /** Whose words have to be compared before the key, which they sealed to this holder, is handed on. */
  const [asked, setAsked] = useState<{ sender: string; typed: Typed } | null>(null)
  const handOver = useSecretMutation(async (typed: Typed, senderWords: string | null = null) => {
    try {
      const [{ sealCompanyKeyFor }, { openHeldKey }] = await Promise.all([
        import('../handover/seal-company-key'),
        import('./open-held-key'),
      ])
      const sealed = await sealCompanyKeyFor(leader, typed, user, () => openHeldKey(senderWords))
      await withVerification(() => handKeyToLeader(sealed))
    } catch (error) {
      if (!(error instanceof SenderWordsNeededError)) throw error
      setAsked({ sender: error.sender, typed })
      return
    }
    toast.success(t('heldKey.handedOver', { name }))
    void client.invalidateQueries({ queryKey: heldKeyQuery.queryKey })
    onBack()
  })
  if (asked) {
    const compare = { ...handOver, mutate: (words: string) => handOver.mutate(asked.typed, words) }
    return <SenderForm sender={asked.sender} compare={compare} onClose={onBack} />
  }
  return (
    <SealForm
      name={name}
      submitLabel={t('heldKey.titles.handOver')}
      fallback={t('heldKey.handOverFailed')}
      seal={handOver}
      onBack={onBack}
    />
  )
}
