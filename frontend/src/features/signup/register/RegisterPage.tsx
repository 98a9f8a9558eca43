import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage, loadErrorMessage } from '@/api/errors'
import { takeLinkToken } from '@/api/link-token'
import { AuthCard } from '@/components/AuthCard'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { toast } from '@/components/toast'
import { useFetch } from '@/hooks/use-fetch'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { askForInvitation, getInvite, type Invite } from '../api'
import { RegisterForm } from './RegisterForm'

export default function RegisterPage() {
  // Read once: the address bar has lost it, and another link may be opened later in this tab.
  const [token] = useState(() => takeLinkToken('/register'))
  return token ? <WithLink token={token} /> : <InviteNotice state="none" />
}

function WithLink({ token }: { token: string }) {
  const { t } = useTranslation(['register', 'signup', 'auth', 'errors'])
  const { data, error, retry } = useFetch(getInvite, token)
  if (error) return <ErrorState heading="h1" text={loadErrorMessage(error)} onRetry={retry} />
  if (data?.state === 'unknown') return <InviteNotice state="unknown" />
  if (data && data.state !== 'open') {
    return <InviteNotice state={data.state} invite={data} token={token} />
  }
  return (
    <AuthCard title={t('title')} text={data ? t('text', { company: data.companyName }) : undefined}>
      {data ? (
        <RegisterForm token={token} invite={data} />
      ) : (
        <Skeleton label={t('checking')} heights={[56, 76, 76, 76, 76, 48]} />
      )}
    </AuthCard>
  )
}

/** Once is enough: the team leader gets a mail and decides. */
function AskAgain({ token }: { token: string }) {
  const { t } = useTranslation('register')
  const [asked, setAsked] = useState(false)
  const ask = useSecretMutation(async () => {
    try {
      await askForInvitation(token)
    } catch (error) {
      toast.error(errorMessage(error, t('ask.failed')))
      throw error
    }
    setAsked(true)
    toast.success(t('ask.done'))
  })
  return (
    <Button size="large" disabled={ask.isPending || asked} aria-busy={ask.isPending} onClick={() => void ask.mutate()}>
      {t(asked ? 'ask.done' : 'ask.action')}
    </Button>
  )
}

type Props = { state: 'expired' | 'cancelled' | 'used'; invite: Invite; token: string } | { state: 'unknown' | 'none' }

/** An invitation that cannot be used, why, and what to do instead. */
function InviteNotice(props: Props) {
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
