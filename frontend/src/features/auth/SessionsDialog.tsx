import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { ErrorState } from '@/components/ErrorState'
import styles from '@/components/forms/form.module.css'
import { Skeleton } from '@/components/Skeleton'
import { ownSessions } from './api'
import { SessionList } from './sessions/SessionList'

type Props = { open: boolean; onClose: () => void }

export default function SessionsDialog({ open, onClose }: Props) {
  const { t } = useTranslation('security')
  return (
    <Dialog open={open} onClose={onClose} size="medium" title={t('sessions.title')}>
      <DialogContent>
        <Content onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

/** Separate from the dialog, so that it loads again each time it opens. */
function Content({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('security')
  const sessions = useQuery(ownSessions)
  return (
    <div className={styles.dialogForm}>
      <p className={styles.lead}>{t('sessions.text')}</p>
      {sessions.isPending ? <Skeleton label={t('sessions.loading')} heights={[72, 72]} /> : null}
      {sessions.isError ? (
        <ErrorState heading="h3" text={loadErrorMessage(sessions.error)} onRetry={() => void sessions.refetch()} />
      ) : null}
      {sessions.data ? <SessionList sessions={sessions.data} onClose={onClose} /> : null}
    </div>
  )
}
