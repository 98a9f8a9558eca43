import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { useFetch } from '@/hooks/use-fetch'
import { getContact } from '../api'

/** A team member whose company has no subscription: no files, and whom to ask. */
export function AskLeader({ user }: { user: User }) {
  const { t } = useTranslation('download')
  const { data: leader } = useFetch(getContact, user.uuid)
  const company = user.companyName
  const mail = leader
    ? `mailto:${leader.emailAddress}?${new URLSearchParams({ subject: t('ask.subject', { company }) }).toString().replaceAll('+', '%20')}`
    : ''
  return (
    <EmptyState
      heading="h1"
      art="locked"
      // Isolated: its letters may run the other way.
      title={t('ask.title', { company: `\u2068${company}\u2069` })}
      text={
        <>
          {t('ask.text')}{' '}
          {leader ? (
            <>
              {t('ask.leader')} <bdi>{leader.name}</bdi> (<bdi dir="ltr">{leader.emailAddress}</bdi>).
            </>
          ) : (
            t('ask.someone')
          )}
        </>
      }
      actions={
        leader && (
          <LinkButton size="large" href={mail}>
            {t('ask.write')}
          </LinkButton>
        )
      }
    />
  )
}
