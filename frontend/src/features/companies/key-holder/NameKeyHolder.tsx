import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import type { User } from '@/api/session'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import { Actions, Panel, Stack } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { Term } from '@/components/Term'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import type { Typed } from '../handover/typed'
import { keyHolderQuery, memberPublicKeys, putKeyHolder, type Candidate } from './api'
import { SealForm } from './SealForm'

type Props = { user: User; member: Candidate; renews: boolean; onDone: () => void; onBack: () => void }

/** The leader's browser seals the company key to the member's keys, which the typed words stand for. */
export function NameKeyHolder({ user, member, renews, onDone, onBack }: Props) {
  const { t } = useTranslation('company')
  const name = `${member.firstName} ${member.lastName}`
  const { data: publicKeys, isError, error, isFetching, refetch } = useQuery(memberPublicKeys(member.uuid))
  const save = useToastMutation(
    async (typed: Typed) => {
      const { sealCompanyKeyFor } = await import('../handover/seal-company-key')
      const sealed = await sealCompanyKeyFor({ uuid: member.uuid, publicKeys: publicKeys ?? '' }, typed, user)
      await withVerification(() => putKeyHolder(member.uuid, sealed))
    },
    {
      success: t(renews ? 'keyHolder.renewed' : 'keyHolder.named', { name }),
      refresh: [keyHolderQuery.queryKey],
      onDone,
    },
  )
  if (isError) return <ErrorState heading="h3" text={loadErrorMessage(error)} onRetry={() => void refetch()} />
  if (publicKeys === undefined) return <Skeleton label={t('keyHolder.loading')} heights={[120]} />
  if (publicKeys === null) {
    return (
      <Stack>
        <Panel role="note">
          <Term name="sixWords">{t('keyHolder.noKeys', { name })}</Term>
        </Panel>
        <Actions>
          <Button variant="text" onClick={onBack}>
            {t('common:actions.back')}
          </Button>
          <Button variant="outlined" pending={isFetching} onClick={() => void refetch()}>
            {t('keyHolder.checkAgain')}
          </Button>
        </Actions>
      </Stack>
    )
  }
  return (
    <SealForm
      name={name}
      submitLabel={t(renews ? 'keyHolder.renew' : 'keyHolder.name')}
      fallback={t('keyHolder.nameFailed')}
      seal={save}
      onBack={onBack}
    />
  )
}
