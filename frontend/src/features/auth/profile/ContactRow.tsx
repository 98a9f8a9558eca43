import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from './profile.module.css'

type Props = { label: string; value: string; note?: string | undefined; onChange: () => void }

export function ContactRow({ label, value, note, onChange }: Props) {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.contact}>
      <div className={styles.words}>
        <span className={styles.label}>{label}</span>
        <bdi dir="ltr" className={styles.value}>
          {value}
        </bdi>
        {note ? <span className={styles.note}>{note}</span> : null}
      </div>
      <Button variant="text" onClick={onChange} aria-label={t('profile.changeOf', { what: label })}>
        {t('profile.change')}
      </Button>
    </div>
  )
}
