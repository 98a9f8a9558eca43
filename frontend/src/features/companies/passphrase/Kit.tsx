import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { RecoveryKit } from '../RecoveryKit'
import styles from './passphrase.module.css'

type Props = { user: User; text: string; epoch: number; onClose: () => void }

export function Kit({ user, text, epoch, onClose }: Props) {
  const { t } = useTranslation('company')
  const person = `${user.firstName} ${user.lastName}`
  return (
    <div className={styles.form}>
      <RecoveryKit company={user.companyName} person={person} passphrase={text} epoch={epoch} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('passphrase.done')}</Button>
      </div>
    </div>
  )
}
