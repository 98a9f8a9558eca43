import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Lead, Stack } from '@/components/forms/layout'
import { QueryResult } from '@/components/QueryResult'
import { ownSessions } from './api'
import { SessionList } from './sessions/SessionList'

export default function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('security')
  const sessions = useQuery(ownSessions)
  return (
    <Dialog onClose={onClose} size="medium" title={t('sessions.title')}>
      <DialogContent>
        <Stack>
          <Lead>{t('sessions.text')}</Lead>
          <QueryResult query={sessions} loading={t('sessions.loading')} heights={[72, 72]}>
            {(data) => <SessionList sessions={data} onClose={onClose} />}
          </QueryResult>
        </Stack>
      </DialogContent>
    </Dialog>
  )
}
