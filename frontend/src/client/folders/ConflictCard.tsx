import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { toast } from '@/components/toast'
import { formatBytes, formatDateTime } from '@/i18n/format'
import { post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import { Failure } from '../Failure'
import { Name } from '../Name'
import { useCall } from '../use-call'
import { ConflictPreview } from './ConflictPreview'
import styles from './folders.module.css'

export type Conflict = Schemas['ConflictInfo']
type Keep = 'current' | 'other' | 'both'
type Props = { folder: string; conflict: Conflict; onResolved: () => void }

/** Both versions of a file side by side, and the choice between them. */
export function ConflictCard({ folder, conflict, onResolved }: Props) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const id = useId()
  const [isCompared, setCompared] = useState(false)
  const { run, isPending, error } = useCall()
  const { space, current, other } = conflict
  const name = current.path.split('/').at(-1) ?? ''
  const hasFile = current.type === 'file' || other.type === 'file'
  const resolve = (keep: Keep) =>
    void run(async () => {
      await post('/connected-folders/conflicts', {
        id: folder,
        space,
        path: current.path,
        keptAs: other.path,
        keep,
        sequence: current.sequence,
        otherSequence: other.sequence,
      })
      toast.success(t(`conflicts.resolved.${keep}`, { name }))
      onResolved()
    })
  return (
    <section className="t-card t-grid" aria-labelledby={id}>
      <div>
        <h2 id={id}>
          <Name>{name}</Name>
        </h2>
        <p className="t-soft">
          <Name>
            {[spaces.find((each) => each.id === space)?.name, ...current.path.split('/').slice(0, -1)].join('/')}
          </Name>
        </p>
      </div>
      <Failure text={error?.text} />
      <div className={styles.sides}>
        {(['current', 'other'] as const).map((which) => (
          <div key={which} role="group" aria-label={t(`conflicts.${which}`)} className={styles.side}>
            <strong>{t(`conflicts.${which}`)}</strong>
            <SideFacts side={conflict[which]} />
            {isCompared ? <ConflictPreview folder={folder} conflict={conflict} which={which} /> : null}
            <Button
              variant="outlined"
              disabled={isPending}
              aria-label={t('conflicts.keepOf', { version: t(`conflicts.${which}`), name })}
              onClick={() => resolve(which)}
            >
              {t('conflicts.keep')}
            </Button>
          </div>
        ))}
      </div>
      <div className="t-line">
        {hasFile ? (
          <Button variant="text" aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
            {t(isCompared ? 'conflicts.hide' : 'conflicts.compare')}
          </Button>
        ) : null}
        <Button
          variant="text"
          disabled={isPending}
          aria-label={t('conflicts.keepBothOf', { name })}
          onClick={() => resolve('both')}
        >
          {t('conflicts.keepBoth')}
        </Button>
      </div>
    </section>
  )
}

function SideFacts({ side }: { side: Conflict['current'] }) {
  const { t } = useTranslation('client')
  return (
    <>
      <span>
        <Name>{side.author ?? t('versions.former')}</Name>
      </span>
      <span className="t-soft">{formatDateTime(side.time)}</span>
      <span className="t-soft">
        {side.type === 'folder'
          ? t('files.sum', { count: side.files, size: formatBytes(side.size) })
          : side.type === 'link'
            ? t('conflicts.link')
            : formatBytes(side.size)}
      </span>
      <span className="t-soft">
        <Name>{side.path.split('/').at(-1)}</Name>
      </span>
    </>
  )
}
