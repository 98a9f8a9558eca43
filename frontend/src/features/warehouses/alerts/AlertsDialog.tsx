import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Stack } from '@/components/forms/layout'
import { QueryResult } from '@/components/QueryResult'
import { alertsQuery } from './api'
import { Recipients } from './Recipients'
import { WebhookSection } from './WebhookSection'

/** Who is told when a warehouse or stored files are in trouble. */
export default function AlertsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common', 'auth', 'errors'])
  return (
    <Dialog open size="medium" title={t('title')} onClose={onClose}>
      <DialogContent>
        <QueryResult
          query={useQuery(alertsQuery)}
          loading={t('loading')}
          heights={[24, 44, 24, 72]}
          failed={t('failed')}
        >
          {({ recipients, maxRecipients, webhook }) => (
            <Stack>
              <Recipients recipients={recipients} maximum={maxRecipients} />
              <WebhookSection webhook={webhook} />
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
