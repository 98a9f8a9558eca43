import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Lead, Stack } from '@/components/forms/layout'
import { QueryResult } from '@/components/QueryResult'
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
    <Stack>
      <Lead>{t('sessions.text')}</Lead>
      <QueryResult query={sessions} loading={t('sessions.loading')} heights={[72, 72]}>
        {(data) => <SessionList sessions={data} onClose={onClose} />}
      </QueryResult>
    </Stack>
  )
}
