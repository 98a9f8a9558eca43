import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Panel } from '@/components/forms/layout'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDateTime } from '@/i18n/format'
import { alertsQuery, removeWebhook, replaceSecret, saveWebhook, sendTestEvent, type Webhook } from './api'
import { Deliveries } from './Deliveries'
import { NewSecret, WebhookForm } from './WebhookForm'

export function WebhookSection({ webhook }: { webhook: Webhook | null }) {
  const { t } = useTranslation('alerts')
  const id = useId()
  const [secret, setSecret] = useState<string | null>(null)
  const [removals, setRemovals] = useState(0)
  const exists = webhook !== null
  const [existed, setExisted] = useState(exists)
  if (existed !== exists) {
    setExisted(exists)
    if (existed) {
      setSecret(null)
      setRemovals(removals + 1)
    }
  }
  return (
    <section className="t-grid" aria-labelledby={id}>
      <h3 id={id}>{t('webhook.title')}</h3>
      <p className="t-soft">{t('webhook.text')}</p>
      {webhook?.disabledAt ? <DisabledNote url={webhook.url} since={webhook.disabledAt} /> : null}
      {/* Empty again after a removal; otherwise it stays, and with it the focus. */}
      <WebhookForm key={removals} url={webhook?.url ?? null} onSecret={setSecret} />
      {secret ? <NewSecret secret={secret} /> : null}
      {webhook ? (
        <>
          <WebhookActions webhook={webhook} onSecret={setSecret} />
          <Deliveries deliveries={webhook.deliveries} />
        </>
      ) : null}
    </section>
  )
}

function DisabledNote({ url, since }: { url: string; since: string }) {
  const { t } = useTranslation('alerts')
  const turnOn = useToastMutation(() => withVerification(() => saveWebhook(url)), {
    success: t('toasts.turnedOn'),
    failure: t('toasts.saveFailed'),
    refresh: [alertsQuery.queryKey],
  })
  return (
    <Panel role="note">
      <p>{t('webhook.disabled', { time: formatDateTime(since) })}</p>
      <Button variant="outlined" pending={turnOn.isPending} onClick={() => void turnOn.mutate()}>
        {t('webhook.turnOn')}
      </Button>
    </Panel>
  )
}

type ActionsProps = { webhook: Webhook; onSecret: (secret: string | null) => void }

function WebhookActions({ webhook, onSecret }: ActionsProps) {
  const { t } = useTranslation('alerts')
  const [asking, setAsking] = useState<'replace' | 'remove' | null>(null)
  const close = () => setAsking(null)
  const refresh = [alertsQuery.queryKey]
  const test = useToastMutation(() => withVerification(sendTestEvent), {
    success: t('toasts.testStarted'),
    failure: t('toasts.testFailed'),
    refresh,
  })
  const replace = useToastMutation(async () => onSecret(await withVerification(replaceSecret)), {
    success: t('toasts.secretReplaced'),
    failure: t('toasts.secretFailed'),
    refresh,
    onDone: close,
  })
  const remove = useToastMutation(() => withVerification(removeWebhook), {
    success: t('toasts.removed'),
    failure: t('toasts.removeFailed'),
    refresh,
    onDone: close,
  })
  const asked = asking === 'remove' ? remove : replace
  return (
    <>
      <p className="t-soft">{t('secret.since', { time: formatDateTime(webhook.secretCreatedAt) })}</p>
      <div className="t-line">
        <Button variant="outlined" pending={test.isPending} onClick={() => void test.mutate()}>
          {t('webhook.test')}
        </Button>
        <Button variant="outlined" onClick={() => setAsking('replace')}>
          {t('secret.replace')}
        </Button>
        <Button variant="text" danger onClick={() => setAsking('remove')}>
          {t('webhook.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking !== null}
        title={t(asking === 'remove' ? 'webhook.removeTitle' : 'secret.replaceTitle')}
        confirmLabel={t(asking === 'remove' ? 'webhook.remove' : 'secret.replace')}
        destructive={asking === 'remove'}
        pending={asked.isPending}
        onConfirm={() => void asked.mutate()}
        onClose={close}
      >
        {t(asking === 'remove' ? 'webhook.removeText' : 'secret.replaceText')}
      </ConfirmDialog>
    </>
  )
}
