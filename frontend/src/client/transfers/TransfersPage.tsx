import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { PageHeader } from '@/components/PageHeader'
import { ProgressBar } from '@/components/ProgressBar'
import { formatBytes } from '@/i18n/format'
import { visible } from '@/lib/visible'
import styles from '../page.module.css'
import { useCodeText } from '../use-call'
import { post } from '../api'
import { usePageState, type Transfer } from '../client-state'
import { Name } from '../Name'

export default function TransfersPage() {
  const { t } = useTranslation('client')
  const { transfers, isPaused } = usePageState()
  const act = (action: string, id?: number) => void post('/transfers', { action, ...(id ? { id } : {}) })
  const isActive = transfers.some((item) => ['waiting', 'running', 'paused'].includes(item.state))
  const hasEnded = transfers.some((item) => ['done', 'failed', 'cancelled'].includes(item.state))
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('transfers.title')}
        sub={t('transfers.sub')}
        actions={
          <>
            {isActive ? (
              <>
                <Button variant="outlined" onClick={() => act(isPaused ? 'resume' : 'pause')}>
                  {t(isPaused ? 'transfers.resume' : 'transfers.pause')}
                </Button>
                <Button variant="outlined" onClick={() => act('cancel')}>
                  {t('transfers.cancelAll')}
                </Button>
              </>
            ) : null}
            {hasEnded ? (
              <Button variant="text" onClick={() => act('clear')}>
                {t('transfers.clear')}
              </Button>
            ) : null}
          </>
        }
      />
      {transfers.length === 0 ? (
        <EmptyState title={t('transfers.emptyTitle')} text={t('transfers.emptyText')} />
      ) : (
        <ul className="t-list">
          {[...transfers].reverse().map((item) => (
            <Row key={item.id} item={item} onAct={act} />
          ))}
        </ul>
      )}
    </div>
  )
}

type RowProps = { item: Transfer; onAct: (action: string, id: number) => void }

function Row({ item, onAct }: RowProps) {
  const { t } = useTranslation('client')
  const codeText = useCodeText()
  const name = item.path.split('/').at(-1) ?? item.path
  const state =
    item.state === 'done' && !item.isSafe ? t('transfers.state.notSafe') : t(`transfers.state.${item.state}`)
  return (
    <li className="t-ends">
      <span className={styles.main}>
        <strong>
          <Name>{name}</Name>
        </strong>
        <span className="t-soft">
          {t(`transfers.${item.kind}`)} · {formatBytes(item.size)} · {state}
        </span>
        {item.target && item.state === 'done' ? (
          <span className="t-soft">
            <Name dir="ltr">{item.target}</Name>
          </span>
        ) : null}
        {item.renamed.map(({ path, name: substitute }) => (
          <span key={path} className="t-soft">
            {t('transfers.renamed', { path, name: substitute })}
          </span>
        ))}
        {item.state === 'done' && item.message ? <span className="t-soft">{visible(item.message)}</span> : null}
        {item.state === 'failed' ? (
          <span role="alert" className={styles.error}>
            {codeText(item)}
          </span>
        ) : null}
        {item.state === 'running' ? (
          <ProgressBar label={visible(name)} value={item.size > 0 ? Math.round((item.done / item.size) * 100) : 0} />
        ) : null}
      </span>
      {item.state === 'failed' ? (
        <Button variant="text" aria-label={t('transfers.retryOf', { name })} onClick={() => onAct('retry', item.id)}>
          {t('transfers.retry')}
        </Button>
      ) : null}
      {['waiting', 'running', 'paused'].includes(item.state) ? (
        <Button variant="text" aria-label={t('transfers.cancelOf', { name })} onClick={() => onAct('cancel', item.id)}>
          {t('transfers.cancel')}
        </Button>
      ) : null}
    </li>
  )
}
