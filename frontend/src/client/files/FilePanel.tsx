import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { IconButton } from '@/components/IconButton'
import { CloseIcon } from '@/components/icons/CloseIcon'
import { Skeleton } from '@/components/Skeleton'
import { StateBadge } from '@/components/StateBadge'
import { Term } from '@/components/Term'
import { toast } from '@/components/toast'
import { formatBytes, formatDateTime } from '@/i18n/format'
import { get, post } from '../api'
import { usePageState, type SpaceInfo } from '../client-state'
import { useCall, useErrorText } from '../use-call'
import { Failure } from '../Failure'
import { DownloadButton } from './DownloadButton'
import styles from './FilePanel.module.css'
import type { FileRow } from './use-rows'
import { Name } from '../Name'

type Query = { space: string; path: string }
type Props = { space: SpaceInfo; row: FileRow; onClose: () => void }

export function FilePanel({ space, row, onClose }: Props) {
  const { t } = useTranslation('client')
  const query = { space: space.id, path: row.path }
  return (
    <aside className={styles.panel} aria-label={t('files.details', { name: row.name })}>
      <header className={styles.header}>
        <div>
          <h2>
            <Name>{row.name}</Name>
          </h2>
          <span className="t-soft">{formatBytes(row.size)}</span>
        </div>
        <IconButton label={t('files.close')} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <DownloadButton space={space.id} rows={[row]} variant="primary" />
      <Protection query={query} revision={space.revision} />
      <Versions space={space} row={row} query={query} />
    </aside>
  )
}

const COLOURS = ['#f0a020', '#12a594', '#2f55d4', '#e5604d']

/** How many pieces of the file each cloud holds. */
function Protection({ query, revision }: { query: Query; revision: number }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { health } = usePageState()
  const { data, error } = useQuery({
    queryKey: ['pieces', query, revision],
    queryFn: () => get('/pieces', query),
  })
  if (error) return <Failure text={textOf(error)} />
  if (!data) return <Skeleton label={t('files.checking')} heights={[132]} />
  const clouds = health?.warehouses.filter((item) => item.id in data.held) ?? []
  const spare = Object.values(data.held).reduce((sum, count) => sum + count, 0) - data.needed
  return (
    <section className="t-card">
      <h3>
        {data.packs === 0
          ? t('pieces.empty')
          : data.missing === 0
            ? t('pieces.safe', { count: clouds.length })
            : spare > 0
              ? t('pieces.missing', { count: data.missing })
              : t('pieces.noSpare')}
      </h3>
      <p className="t-soft">
        <Term name="piece">{t('pieces.note')}</Term>
      </p>
      <ul className={styles.clouds}>
        {clouds.map((cloud, index) => (
          <li key={cloud.id} className={styles.cloud}>
            <Name>{cloud.name}</Name>
            <span className={styles.tiles} aria-hidden>
              {Array.from({ length: Math.min(12, data.held[cloud.id] ?? 0) }, (_, tile) => (
                <span key={tile} className={styles.tile} style={{ background: COLOURS[index % COLOURS.length] }} />
              ))}
            </span>
            <span className="t-soft">{t('pieces.count', { count: data.held[cloud.id] ?? 0 })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Versions({ space, row, query }: { space: SpaceInfo; row: FileRow; query: Query }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { run, isPending, error: failure } = useCall()
  const { data, error } = useQuery({
    queryKey: ['versions', query, space.revision],
    queryFn: () => get('/versions', query),
  })
  return (
    <section>
      <h3>{t('versions.title')}</h3>
      <Failure text={failure?.text ?? (error ? textOf(error) : undefined)} />
      <ol>
        {data?.map((version, index) => (
          <li key={`${version.sequence}-${index}`} className={`t-ends ${styles.version}`}>
            <div>
              {formatDateTime(version.time)}
              <p className="t-soft">
                <Name>{version.author ?? t('versions.former')}</Name> · {formatBytes(version.size)}
                {version.isConflict ? ` · ${t('versions.conflict')}` : ''}
              </p>
            </div>
            {index === 0 ? (
              <StateBadge tone="success">{t('versions.current')}</StateBadge>
            ) : (
              <Button
                variant="text"
                disabled={isPending}
                aria-label={t('versions.restoreOf', { time: formatDateTime(version.time) })}
                onClick={() =>
                  void run(async () => {
                    const { sequence } = version
                    await post('/restore', { space: space.id, paths: [row.path], sequence, isPreview: false })
                    toast.success(t('versions.restored', { name: row.name }))
                  })
                }
              >
                {t('versions.restore')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
