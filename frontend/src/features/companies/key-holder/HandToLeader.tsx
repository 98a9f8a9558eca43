import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { withVerification } from '@/api/verification'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import type { Typed } from '../handover/typed'
import { handKeyToLeader, heldKeyQuery } from './api'
import { SealForm } from './SealForm'
import type { Leader } from './use-held-key'

type Props = { user: User; leader: Leader; onBack: () => void }

/** The second holder's browser seals the company key to the leader's keys. */
export function HandToLeader({ user, leader, onBack }: Props) {
  const { t } = useTranslation('company')
  const { name } = leader
  const handOver = useToastMutation(
    async (typed: Typed) => {
      const [{ sealCompanyKeyFor }, { openHeldKey }] = await Promise.all([
        import('../handover/seal-company-key'),
        import('./open-held-key'),
      ])
      const sealed = await sealCompanyKeyFor(leader, typed, user, openHeldKey)
      await withVerification(() => handKeyToLeader(sealed))
    },
    { success: t('heldKey.handedOver', { name }), refresh: [heldKeyQuery.queryKey], onDone: onBack },
  )
  return (
    <SealForm
      name={name}
      submitLabel={t('heldKey.handOver')}
      fallback={t('heldKey.handOverFailed')}
      seal={handOver}
      onBack={onBack}
    />
  )
}
