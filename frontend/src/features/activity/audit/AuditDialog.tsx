import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Stack } from '@/components/forms/layout'
import { QueryResult } from '@/components/QueryResult'
import { streamQuery } from './api'
import { CheckSection } from './CheckSection'
import { DailyFiles } from './DailyFiles'
import { WebhookStream } from './WebhookStream'

/** Where the company's activity is sent, and whether all of it is still there. */
export default function AuditDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['audit', 'alerts', 'common', 'auth', 'errors'])
  return (
    <Dialog open size="medium" title={t('title')} onClose={onClose}>
      <DialogContent>
        <QueryResult
          query={useQuery(streamQuery())}
          loading={t('loading')}
          heights={[24, 72, 24, 72]}
          failed={t('failed')}
        >
          {(stream) => (
            <Stack>
              <CheckSection stream={stream} />
              <WebhookStream stream={stream} />
              <DailyFiles stream={stream} />
            </Stack>
          )}
        </QueryResult>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
