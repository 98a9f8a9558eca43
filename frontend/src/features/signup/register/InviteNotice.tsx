import { useTranslation } from 'react-i18next'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import type { Invite } from '../api'
import { AskAgain } from './AskAgain'

type Props = { state: 'expired' | 'cancelled' | 'used'; invite: Invite; token: string } | { state: 'unknown' | 'none' }

/** An invitation that cannot be used, why, and what to do instead. */
export function InviteNotice(props: Props) {
  const { t } = useTranslation('register')
  const { state } = props
  const facts = 'invite' in props ? { company: props.invite.companyName, email: props.invite.email } : {}
  const renewable = state === 'expired' || state === 'cancelled'
  return (
    <EmptyState
      heading="h1"
      art={state === 'unknown' || state === 'none' ? 'lost' : 'locked'}
      title={t(`${state}.title`)}
      text={t(`${state}.text`, facts)}
      actions={
        <>
          {renewable ? <AskAgain token={props.token} /> : null}
          {state === 'none' ? (
            <LinkButton size="large" to="/signup">
              {t('signUp')}
            </LinkButton>
          ) : null}
          <LinkButton to="/login" size="large" variant={state === 'used' ? 'primary' : 'outlined'}>
            {t('toLogin')}
          </LinkButton>
        </>
      }
    />
  )
}
