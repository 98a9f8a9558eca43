import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CheckField } from '@/components/forms/Field'
import { FormError, Lead } from '@/components/forms/layout'
import { post } from '../api'
import { useCall } from '../use-call'
import styles from './start.module.css'
import { StartFrame } from './StartFrame'

/** The service says that the password was reset, which only the person can know. */
export default function PasswordResetPage() {
  const { t } = useTranslation('client')
  const { run, isPending, error } = useCall()
  const [isOwn, setOwn] = useState(false)
  return (
    <StartFrame>
      <div className={`t-card ${styles.card}`}>
        <div className={styles.form}>
          <h1 className={styles.title}>{t('reset.title')}</h1>
          <Lead>{t('reset.text')}</Lead>
          <p className="t-soft">{t('changed.otherwise')}</p>
          <CheckField label={t('reset.own')} checked={isOwn} onChange={({ target }) => setOwn(target.checked)} />
          {error ? <FormError takesFocus={false}>{error.text}</FormError> : null}
          <Button
            size="xlarge"
            fullWidth
            pending={isPending}
            disabled={!isOwn}
            onClick={() => void run(() => post('/password-reset'))}
          >
            {t('login.next')}
          </Button>
          <Button variant="text" disabled={isPending} onClick={() => void run(() => post('/logout'))}>
            {t('unlock.logOut')}
          </Button>
        </div>
      </div>
    </StartFrame>
  )
}
