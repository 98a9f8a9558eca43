import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { FormError, Stack } from '@/components/forms/layout'
import { LtrValue } from '@/components/LtrValue'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'
import { handOverAnswer, type Proved, type Returned } from './api'
import type { ClientLogin } from './client-login'
import { LinkForm } from './LinkForm'
import { UnlockForm } from './UnlockForm'

const ClientConfirmation = lazy(() => import('./ClientConfirmation'))

const asked = new Map<string, Promise<Proved>>()

type Props = { returned: Returned; client: ClientLogin | null; footer: ReactNode; onRestart: () => void }

/** Hands over what the provider answered, and asks for what it does not prove. */
export function CompanyAnswer({ returned, client, footer, onRestart }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const { data: proved, error } = useFetch(handOverOnce, JSON.stringify(returned))
  if (error) {
    return (
      <AuthCard title={t('company.title')} footer={footer}>
        <Stack page>
          <FormError>{errorMessage(error, t('login.failed'))}</FormError>
          <Button size="xlarge" fullWidth onClick={onRestart}>
            {t('company.again')}
          </Button>
        </Stack>
      </AuthCard>
    )
  }
  if (!proved) {
    return (
      <AuthCard title={t('company.title')}>
        <Skeleton label={t('login.phase.checking')} heights={[44, 44]} />
      </AuthCard>
    )
  }
  if (!proved.linked) return <LinkForm address={proved.emailAddress} forClient={client !== null} footer={footer} />
  if (client) {
    return (
      <Suspense fallback={null}>
        <ClientConfirmation login={client} email={proved.emailAddress} onRestart={onRestart} />
      </Suspense>
    )
  }
  return (
    <AuthCard
      title={t('company.unlockTitle')}
      text={<LtrValue text="company.unlockText" name="email" value={proved.emailAddress} />}
      footer={footer}
    >
      <UnlockForm proved={proved} />
    </AuthCard>
  )
}

/** An answer works once, so it is sent once, however often the page renders. */
function handOverOnce(returned: string): Promise<Proved> {
  const running = asked.get(returned) ?? handOverAnswer(JSON.parse(returned) as Returned)
  asked.set(returned, running)
  return running
}
