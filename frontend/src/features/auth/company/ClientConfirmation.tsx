import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { FormError, Stack } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { formatDateTime } from '@/i18n/format'
import own from '../confirm/confirm.module.css'
import { decideClientLogin, showClientLogin, type ShownClientLogin } from './api'
import { forgetClientLogin, type ClientLogin } from './client-login'
import { DeviceCodeForm } from './DeviceCodeForm'

type Props = { login: ClientLogin; email: string; onRestart: () => void }

/** Which computer asks to be logged in, and whether it may be. */
export default function ClientConfirmation({ login, email, onRestart }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const [typed, setTyped] = useState<ShownClientLogin | null>(null)
  if (login.handle) return <ShownByHandle handle={login.handle} email={email} onRestart={onRestart} />
  if (typed) return <Decision named={{ deviceCode: typed.deviceCode }} shown={typed} email={email} />
  return (
    <AuthCard title={t('company.client.codeTitle')} text={t('company.client.codeText')}>
      <DeviceCodeForm onShown={setTyped} />
    </AuthCard>
  )
}

function ShownByHandle({ handle, email, onRestart }: { handle: string; email: string; onRestart: () => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { data: shown, error } = useFetch(showByHandle, handle)
  if (error) {
    return (
      <AuthCard title={t('company.client.title')}>
        <Stack page>
          <FormError>{errorMessage(error, t('company.client.failed'))}</FormError>
          <Button size="xlarge" fullWidth onClick={onRestart}>
            {t('company.again')}
          </Button>
        </Stack>
      </AuthCard>
    )
  }
  if (!shown) {
    return (
      <AuthCard title={t('company.client.title')}>
        <Skeleton label={t('login.phase.checking')} heights={[44, 44]} />
      </AuthCard>
    )
  }
  return <Decision named={{ handle }} shown={shown} email={email} />
}

function showByHandle(handle: string): Promise<ShownClientLogin> {
  return showClientLogin({ handle })
}

type DecisionProps = {
  named: { handle: string } | { deviceCode: string }
  shown: ShownClientLogin
  email: string
}

function Decision({ named, shown, email }: DecisionProps) {
  const { t } = useTranslation(['auth', 'errors'])
  const [done, setDone] = useState<'confirmed' | 'refused' | null>(null)
  const decide = useSecretMutation(async (accepted: boolean) => {
    const redirect = await decideClientLogin({ ...named, accepted })
    forgetClientLogin()
    setDone(accepted ? 'confirmed' : 'refused')
    if (redirect) window.location.assign(redirect)
  })
  if (done) {
    return (
      <AuthCard title={t(`company.client.${done}Title`)}>
        <p role="status">{t(`company.client.${done}`)}</p>
      </AuthCard>
    )
  }
  const rows = [
    ['account', email],
    ['name', shown.name],
    ['system', `${shown.system}, tess ${shown.version}`],
    ['origin', shown.origin],
    ['code', shown.deviceCode],
  ] as const
  return (
    <AuthCard title={t('company.client.title')} text={t('company.client.text')}>
      <Stack page>
        <dl className={own.addresses}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`company.client.rows.${name}`)}</dt>
              <dd>
                <bdi dir={name === 'name' ? 'auto' : 'ltr'}>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        <p>{t('company.client.warning', { time: formatDateTime(shown.startedAt) })}</p>
        <MutationError mutation={decide} fallback={t('company.client.failed')} />
        <Button size="xlarge" fullWidth pending={decide.isPending} onClick={() => void decide.mutate(true)}>
          {t('company.client.confirm')}
        </Button>
        <Button variant="text" danger fullWidth onClick={() => void decide.mutate(false)}>
          {t('company.client.refuse')}
        </Button>
      </Stack>
    </AuthCard>
  )
}
