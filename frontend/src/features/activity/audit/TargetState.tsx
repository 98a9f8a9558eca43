import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { StateBadge } from '@/components/StateBadge'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDateTime, formatNumber } from '@/i18n/format'
import { replayStream, STREAM_KEY, type StreamState, type Target } from './api'

type Props = { target: Target; state: StreamState; replayDays: number }

/** How far a stream is, why it is behind, and its replay. */
export function TargetState({ target, state, replayDays }: Props) {
  const { t } = useTranslation('audit')
  const [asking, setAsking] = useState(false)
  const days = formatNumber(replayDays)
  const close = () => setAsking(false)
  const replay = useToastMutation(() => withVerification(() => replayStream(target)), {
    success: t('toasts.replayed'),
    failure: t('toasts.replayFailed'),
    refresh: [STREAM_KEY],
    onDone: close,
  })
  const kind = kindOf(state)
  return (
    <>
      <div className="t-list">
        <div className="t-ends">
          <div>
            <strong>{t('state.sent', { sequence: formatNumber(state.sequence) })}</strong>
            {detailsOf(state, t).map((line) => (
              <p key={line} className="t-soft">
                {line}
              </p>
            ))}
          </div>
          <StateBadge tone={tones[kind]}>{t(`state.${kind}`)}</StateBadge>
        </div>
      </div>
      <div className="t-line">
        <Button variant="outlined" onClick={() => setAsking(true)}>
          {t('replay.action', { days })}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t('replay.title', { days })}
        confirmLabel={t('replay.confirm')}
        pending={replay.isPending}
        onConfirm={() => void replay.mutate()}
        onClose={close}
      >
        {t(`replay.${target}`)}
      </ConfirmDialog>
    </>
  )
}

const tones = { failing: 'warning', behind: 'muted', current: 'success' } as const

function kindOf({ failingSince, behind }: StreamState): keyof typeof tones {
  if (failingSince) return 'failing'
  return behind > 0 ? 'behind' : 'current'
}

function detailsOf(state: StreamState, t: TFunction<'audit'>): string[] {
  const { behind, lastSuccessAt, failingSince, error, status, nextAttemptAt } = state
  const lines = []
  if (behind > 0) lines.push(t('state.waiting', { count: behind, records: formatNumber(behind) }))
  if (lastSuccessAt) lines.push(t('state.last', { time: formatDateTime(lastSuccessAt) }))
  if (failingSince && error) {
    const cause = error === 'status' ? t('errors.status', { status: String(status) }) : t(`errors.${error}`)
    lines.push(t('state.since', { cause, time: formatDateTime(failingSince) }))
    if (nextAttemptAt) lines.push(t('state.next', { time: formatDateTime(nextAttemptAt) }))
  }
  return lines
}
