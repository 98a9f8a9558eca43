import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { NewSecret, WebhookForm } from '@/features/warehouses'
import { saveStream, STREAM_KEY, type AuditStream } from './api'
import { TargetState } from './TargetState'

export function WebhookStream({ stream }: { stream: AuditStream }) {
  const { t } = useTranslation('audit')
  const id = useId()
  const client = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const { webhook, webhookHost, warehouseId } = stream
  const turn = useToastMutation((on: boolean) => withVerification(() => saveStream({ webhook: on, warehouseId })), {
    success: t('toasts.saved'),
    failure: t('toasts.saveFailed'),
    refresh: [STREAM_KEY],
  })
  const keep = (made: string | null) => {
    setSecret(made)
    void client.invalidateQueries({ queryKey: STREAM_KEY })
  }
  return (
    <section className="t-grid" aria-labelledby={id}>
      <h3 id={id}>{t('webhook.title')}</h3>
      <p className="t-soft">{t('webhook.text')}</p>
      {webhookHost === null ? <WebhookForm url={null} onSecret={keep} /> : null}
      {secret ? <NewSecret secret={secret} /> : null}
      {webhook ? <TargetState target="webhook" state={webhook} replayDays={stream.replayDays} /> : null}
      {webhookHost !== null || webhook ? (
        <div className="t-line">
          <Button
            variant={webhook ? 'text' : 'outlined'}
            danger={webhook !== null}
            pending={turn.isPending}
            onClick={() => void turn.mutate(webhook === null)}
          >
            {webhook ? t('webhook.off') : t('webhook.on', { host: webhookHost })}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
