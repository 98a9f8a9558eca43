import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import styles from '@/components/forms/form.module.css'
import type { Signup } from './use-signup'

export default function LeaveDialog({ signup: { leaveDialog } }: { signup: Signup }) {
  const { t } = useTranslation('signup')
  return (
    <NativeDialog title={t('leave.title')} onCancel={leaveDialog.stay}>
      <div className={styles.form}>
        <p className={styles.lead}>{t('leave.text')}</p>
        <div className={styles.row}>
          <Button variant="text" size="large" onClick={leaveDialog.leave}>
            {t('leave.leave')}
          </Button>
          <Button size="large" onClick={leaveDialog.stay}>
            {t('leave.stay')}
          </Button>
        </div>
      </div>
    </NativeDialog>
  )
}
