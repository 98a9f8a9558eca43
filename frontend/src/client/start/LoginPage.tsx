import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CheckField, EmailField, Field } from '@/components/forms/Field'
import { PasswordField } from '@/components/forms/PasswordField'
import { LtrValue } from '@/components/LtrValue'
import { CallError, post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import { useCall } from '../use-call'
import { FormError, Lead, Panel } from '@/components/forms/layout'
import styles from './start.module.css'
import { StartFrame } from './StartFrame'

export default function LoginPage() {
  const [sent, setSent] = useState<Schemas['CodeSent'] | null>(null)
  return (
    <StartFrame step={sent ? 2 : 1}>
      <div className={`t-card ${styles.card}`}>
        {sent ? <CodeStep sent={sent} onBack={() => setSent(null)} /> : <PasswordStep onSent={setSent} />}
      </div>
    </StartFrame>
  )
}

function PasswordStep({ onSent }: { onSent: (sent: Schemas['CodeSent']) => void }) {
  const { t } = useTranslation('client')
  const { account, problem } = usePageState()
  const { run, isPending, error } = useCall()
  const [url, setUrl] = useState(account?.origin ?? '')
  const [email, setEmail] = useState(account?.email ?? '')
  const [password, setPassword] = useState('')
  const [isChanged, setChanged] = useState(false)
  const [isOwnChange, setOwnChange] = useState(false)
  const isComplete = url.trim() !== '' && email.trim() !== '' && password !== '' && isChanged === isOwnChange
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isComplete || isPending) return
        void run(async () => {
          const details = { url: url.trim(), email: email.trim(), password, isPasswordChanged: isOwnChange }
          try {
            onSent(await post('/login/code', details))
          } catch (failure) {
            if (!(failure instanceof CallError) || failure.code !== 'salt_changed') throw failure
            setChanged(true)
          }
        })
      }}
    >
      <h1 className={styles.title}>{t('login.title')}</h1>
      <Lead>{t('login.lead')}</Lead>
      {problem?.code === 'not_logged_in' ? <Panel role="status">{t('login.ended')}</Panel> : null}
      <Field
        label={t('login.address')}
        hint={t('login.addressHint')}
        dir="ltr"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        placeholder="https://"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <EmailField
        label={t('login.email')}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        autoComplete="username"
        required
      />
      <PasswordField
        label={t('login.password')}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        autoComplete="current-password"
        required
      />
      {isChanged ? (
        <Panel role="alert">
          <strong>{t('changed.title')}</strong>
          <p>{t('changed.text')}</p>
          <p>{t('changed.otherwise')}</p>
          <CheckField
            label={t('changed.own')}
            checked={isOwnChange}
            onChange={({ target }) => setOwnChange(target.checked)}
          />
        </Panel>
      ) : null}
      {error ? <FormError takesFocus={false}>{error.text}</FormError> : null}
      <Button type="submit" size="xlarge" fullWidth pending={isPending} disabled={!isComplete}>
        {isPending ? t('login.checking') : t('login.next')}
      </Button>
      <p className="t-soft">{t('login.stays')}</p>
    </form>
  )
}

function CodeStep({ sent, onBack }: { sent: Schemas['CodeSent']; onBack: () => void }) {
  const { t } = useTranslation('client')
  const { device } = usePageState()
  const { run, isPending, error } = useCall()
  const [code, setCode] = useState('')
  const [name, setName] = useState(device)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() === '' || isPending) return
        void run(() => post('/login', { code: code.trim(), device: name.trim() }))
      }}
    >
      <h1 className={styles.title}>{t('code.title')}</h1>
      <Lead>
        {sent.method === 'totp' ? t('code.totp') : null}
        {sent.method === 'sms' && sent.sentTo ? (
          <LtrValue texts="client" text="code.sms" name="phone" value={sent.sentTo} />
        ) : null}
        {sent.method === 'sms' && !sent.sentTo ? t('code.recent') : null}
      </Lead>
      <Field
        label={t('code.label')}
        dir="ltr"
        value={code}
        onChange={({ target }) => setCode(target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
      />
      <Field
        label={t('code.device')}
        hint={t('code.deviceHint')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={100}
      />
      {error ? <FormError takesFocus={false}>{error.text}</FormError> : null}
      <Button type="submit" size="xlarge" fullWidth pending={isPending} disabled={code.trim() === ''}>
        {t('code.submit')}
      </Button>
      <Button variant="text" onClick={onBack} disabled={isPending}>
        {t('common:actions.back')}
      </Button>
    </form>
  )
}
