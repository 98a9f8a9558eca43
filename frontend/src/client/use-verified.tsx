import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { CallError, post, type Schemas } from './api'
import { FormDialog } from './FormDialog'

type Waiting = Schemas['CodeSent'] & { again: () => Promise<void> }

/** Runs calls that need verified access: asks for a code when the service wants one, then calls again. */
export function useVerified() {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  async function verified(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'verification_required') throw error
      const sent = await post('/verification')
      setWaiting({ ...sent, again: action })
    }
  }

  const dialog = waiting ? <CodeDialog waiting={waiting} onClose={() => setWaiting(null)} /> : null
  return { verified, dialog }
}

function CodeDialog({ waiting, onClose }: { waiting: Waiting; onClose: () => void }) {
  const { t } = useTranslation('client')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('verify.title')}
      submit={t('verify.submit')}
      disabled={code.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        await post('/verify', { code: code.trim() })
        await waiting.again()
        onClose()
      }}
    >
      <Lead>{t(waiting.method === 'totp' ? 'code.totp' : 'verify.sms')}</Lead>
      <Field
        label={t('code.label')}
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
    </FormDialog>
  )
}
