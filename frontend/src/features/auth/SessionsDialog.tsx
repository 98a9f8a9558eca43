import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { causeOf } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { ownSessions } from './api/own-sessions'
import styles from './auth.module.css'
import { SessionList } from './sessions/SessionList'
import { Skeletons } from './Skeletons'

type Props = { open: boolean; onClose: () => void }

export default function SessionsDialog({ open, onClose }: Props) {
  const { t } = useTranslation('security')
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('sessions.title')}</DialogTitle>
      <DialogContent>
        <Content onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

/** Apart from the dialog, so that it asks afresh each time it is opened. */
function Content({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('security')
  const sessions = useQuery(ownSessions)
  return (
    <div className={styles.dialogForm}>
      <p className={styles.lead}>{t('sessions.text')}</p>
      {sessions.isPending ? <Skeletons label={t('sessions.loading')} heights={[72, 72]} /> : null}
      {sessions.isError ? (
        <ErrorState heading="h3" text={causeOf(sessions.error)} onRetry={() => void sessions.refetch()} />
      ) : null}
      {sessions.data ? <SessionList sessions={sessions.data} onClose={onClose} /> : null}
    </div>
  )
}
