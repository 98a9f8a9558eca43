import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { PasswordField } from '@/components/forms/PasswordField'
import { TileArt } from '@/components/TileArt'
import { post } from '../api'
import { usePageState } from '../client-state'
import { useCall } from '../use-call'
import { FormError, Lead } from '@/components/forms/layout'
import styles from './start.module.css'
import { StartFrame } from './StartFrame'

export default function UnlockPage() {
  const { t } = useTranslation('client')
  const { account } = usePageState()
  const { run, isPending, error } = useCall()
  const [password, setPassword] = useState('')
  return (
    <StartFrame>
      <div className={`t-card ${styles.card}`}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (password !== '' && !isPending) void run(() => post('/unlock', { password }))
          }}
        >
          <TileArt name="locked" />
          <h1 className={styles.title}>{t('unlock.title')}</h1>
          <Lead>{t('unlock.lead', { name: account?.name })}</Lead>
          <input type="hidden" autoComplete="username" value={account?.email ?? ''} readOnly />
          <PasswordField
            label={t('login.password')}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            autoComplete="current-password"
            autoFocus
            required
          />
          {error ? (
            <FormError takesFocus={false}>{error.code === 'login_failed' ? t('unlock.wrong') : error.text}</FormError>
          ) : null}
          <Button type="submit" size="xlarge" fullWidth pending={isPending} disabled={password === ''}>
            {t('unlock.submit')}
          </Button>
          <Button variant="text" disabled={isPending} onClick={() => void run(() => post('/logout'))}>
            {t('unlock.logOut')}
          </Button>
        </form>
      </div>
    </StartFrame>
  )
}
