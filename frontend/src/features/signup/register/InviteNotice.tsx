import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import buttons from '@/components/button.module.css'
import { EmptyState } from '@/components/EmptyState'
import type { Invite } from '../api/get-invite'
import { AskAgain } from './AskAgain'

type Props = { state: 'expired' | 'cancelled' | 'used'; invite: Invite; token: string } | { state: 'unknown' | 'none' }

const primary = `${buttons.button} ${buttons.primary}`
const outlined = `${buttons.button} ${buttons.outlined}`

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
            <Link to="/signup" className={primary}>
              {t('signUp')}
            </Link>
          ) : null}
          <Link to="/login" className={state === 'used' ? primary : outlined}>
            {t('toLogin')}
          </Link>
        </>
      }
    />
  )
}
