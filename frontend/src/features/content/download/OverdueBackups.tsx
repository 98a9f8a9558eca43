import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { useFetch } from '@/hooks/use-fetch'
import { getOverdueDevices } from '../api'
import styles from './download.module.css'

/** The user's devices that have not backed up for as long as they said. */
export function OverdueBackups({ user }: { user: User }) {
  const { t } = useTranslation('download')
  const { data: devices } = useFetch(getOverdueDevices, user.uuid)
  if (!devices?.length) return null
  return (
    <ul className={styles.overdue} aria-label={t('overdue.title')}>
      {devices.map(({ name, days }) => (
        // Isolated: its text direction may differ.
        <li key={name}>{t('overdue.device', { count: days, name: `\u2068${name}\u2069` })}</li>
      ))}
    </ul>
  )
}
