import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { alertsQuery } from './api'
import { Recipients } from './Recipients'
import { WebhookSection } from './WebhookSection'

/** Who is told when a warehouse or stored files are in trouble. */
export default function AlertsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common', 'auth', 'errors'])
  const { data, error, refetch } = useQuery(alertsQuery)

  function body() {
    if (data) {
      return (
        <>
          <Recipients recipients={data.recipients} maximum={data.maxRecipients} />
          <WebhookSection webhook={data.webhook} />
        </>
      )
    }
    if (error) {
      return (
        <ErrorState title={t('failed')} text={loadErrorMessage(error)} heading="h3" onRetry={() => void refetch()} />
      )
    }
    return <Skeleton label={t('loading')} heights={[24, 44, 24, 72]} />
  }

  return (
    <Dialog open size="medium" title={t('title')} onClose={onClose}>
      <DialogContent>{body()}</DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
