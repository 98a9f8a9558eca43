import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CODE_LENGTH, CodeField } from '@/components/forms/CodeField'
import { CodeForm } from '@/components/forms/CodeForm'
import { Field } from '@/components/forms/Field'
import { Line } from '@/components/forms/layout'
import { useCodeEntry } from '@/components/forms/use-code-entry'
import { formatClock } from '@/hooks/use-seconds-left'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { isRecoveryCode } from './api'

type Props = {
  verify: SecretMutation<[code: string]>
  /** The app's codes do not count here. */
  recoveryOnly?: boolean
  submitLabel: string
  /** Shown when the server gives no message. */
  fallback: string
  back: ReactNode
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function AuthenticatorCodeForm({ verify, recoveryOnly = false, submitLabel, fallback, back }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const { code, setCode, field, locked, submit } = useCodeEntry(verify)
  const [recovery, setRecovery] = useState<string | null>(recoveryOnly ? '' : null)

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: formatClock(locked) })
    if (recovery !== null) return isRecoveryCode(recovery.trim()) ? null : t('app.recoveryHint')
    return code.length < CODE_LENGTH ? t('code.hint') : null
  }

  function change(to: string | null) {
    verify.reset()
    setCode('')
    setRecovery(to)
  }

  return (
    <CodeForm
      failed={verify}
      fallback={fallback}
      pending={verify.isPending}
      disabledReason={reason()}
      submitLabel={submitLabel}
      onSubmit={() => void submit(recovery?.trim() ?? code)}
      back={back}
      other={
        recoveryOnly ? null : (
          <Button
            variant="text"
            size="large"
            disabled={verify.isPending}
            onClick={() => change(recovery === null ? '' : null)}
          >
            {t(recovery === null ? 'app.useRecovery' : 'app.useApp')}
          </Button>
        )
      }
    >
      <Line>{t(recovery === null ? 'app.text' : recoveryOnly ? 'app.recoveryOnly' : 'app.recoveryText')}</Line>
      {recovery === null ? (
        <CodeField
          ref={field}
          autoFocus
          value={code}
          verify={verify}
          onChange={setCode}
          onComplete={(digits) => {
            if (locked === 0) void submit(digits)
          }}
        />
      ) : (
        <Field
          key="recovery"
          ref={field}
          label={t('app.recoveryLabel')}
          hint={t('app.recoveryHint')}
          autoFocus
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={24}
          readOnly={verify.isPending}
          value={recovery}
          onChange={(event) => setRecovery(event.target.value)}
        />
      )}
    </CodeForm>
  )
}
