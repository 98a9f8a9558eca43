import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, LinkButton } from '@/components/Button'
import { CODE_LENGTH, CodeField } from '@/components/forms/CodeField'
import { DialogForm } from '@/components/forms/DialogForm'
import { MutationError } from '@/components/forms/MutationError'
import { useCodeEntry } from '@/components/forms/use-code-entry'
import { toast } from '@/components/toast'
import { formatClock } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { copyText } from '@/lib/copy-text'
import { confirmAuthenticator, twoFactorQuery, type StartedAuthenticator } from '../api'
import own from './two-factor.module.css'

// The QR code library is loaded when needed.
const QrCode = lazy(() => import('./QrCode'))

type Props = { started: StartedAuthenticator; onCodes: (codes: string[]) => void; onBack: () => void }

/** Shows the secret as a QR code and as text, and asks for the app's first code. */
export function AuthenticatorSetup({ started, onCodes, onBack }: Props) {
  const { t } = useTranslation(['security', 'auth', 'errors'])
  const client = useQueryClient()
  const secretId = useId()
  const groups = started.secret.replace(/(.{4})(?=.)/g, '$1 ').replace(/(.{19}) /g, '$1\n')
  const confirm = useSecretMutation(async (digits: string) => {
    const codes = await confirmAuthenticator(digits)
    void client.invalidateQueries(twoFactorQuery)
    toast.success(t('twoFactor.turnedOn'))
    onCodes(codes)
  })
  const { code, setCode, field, locked, submit } = useCodeEntry(confirm)

  function reason(): string | null {
    if (locked > 0) return t('auth:waitFor', { time: formatClock(locked) })
    return code.length < CODE_LENGTH ? t('auth:code.hint') : null
  }

  return (
    <DialogForm
      lead={t('twoFactor.setUp.scan')}
      mutation={confirm}
      submitLabel={t('twoFactor.setUp.submit')}
      disabledReason={reason()}
      onSubmit={() => submit(code)}
      onCancel={onBack}
    >
      <div className={own.picture}>
        <Suspense fallback={null}>
          <QrCode text={started.uri} label={t('twoFactor.setUp.picture')} />
        </Suspense>
      </div>
      <div className={own.typed}>
        <p id={secretId}>{t('twoFactor.setUp.orType')}</p>
        <code className={own.secret} dir="ltr" aria-labelledby={secretId}>
          {groups}
        </code>
        <div className={own.buttons}>
          <Button
            variant="text"
            onClick={() => void copyText(started.secret, t('common:copy.copied'), t('copyFailed'))}
          >
            {t('twoFactor.setUp.copy')}
          </Button>
          <LinkButton variant="text" href={started.uri}>
            {t('twoFactor.setUp.open')}
          </LinkButton>
        </div>
      </div>
      <MutationError mutation={confirm} fallback={t('auth:code.notVerified')} takesFocus={false} />
      <CodeField
        ref={field}
        label={t('twoFactor.setUp.code')}
        value={code}
        verify={confirm}
        onChange={setCode}
        onComplete={(digits) => {
          if (locked === 0) void submit(digits)
        }}
      />
    </DialogForm>
  )
}
