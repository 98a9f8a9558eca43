import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import { LinkButton } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { formatBytes, formatNumber } from '@/i18n/format'
import { visible } from '@/lib/visible'
import styles from '../page.module.css'
import { get } from '../api'
import { usePageState, type SpaceInfo } from '../client-state'
import { folderUrl } from '../files/folder-url'
import { Name } from '../Name'
import { useErrorText } from '../use-call'
import { SpaceSettings } from './SpaceSettings'
import own from './SpacePage.module.css'

/** What a space holds, and how it is written. */
export default function SpacePage() {
  const { t } = useTranslation('client')
  const { space: id } = useParams()
  const { spaces } = usePageState()
  const space = spaces.find((each) => each.id === id)
  if (!space) return <Navigate to="/files" replace />
  return (
    <div className={styles.page}>
      <PageHeader
        title={visible(space.name)}
        sub={t('about.sub')}
        actions={
          <LinkButton variant="outlined" to={folderUrl(space.id, '')}>
            {t('trash.back')}
          </LinkButton>
        }
      />
      <Statistics space={space} />
      <SpaceSettings key={space.id} space={space} />
    </div>
  )
}

function Statistics({ space }: { space: SpaceInfo }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { data, error, refetch } = useQuery({
    queryKey: ['statistics', space.id, space.revision],
    queryFn: () => get('/statistics', { space: space.id }),
    placeholderData: (previous) => previous,
  })
  if (error) return <ErrorState text={textOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t('about.loading')} heights={[168]} />
  const sizes = ['bytes', 'kept', 'stored', 'savedByDeduplication', 'savedByCompression'] as const
  return (
    <section className="t-card">
      <h2>{t('about.statistics')}</h2>
      <dl className={own.figures}>
        <div>
          <dt className="t-soft">{t('about.files')}</dt>
          <dd>{formatNumber(data.files)}</dd>
        </div>
        {sizes.map((name) => (
          <div key={name}>
            <dt className="t-soft">{t(`about.${name}`)}</dt>
            <dd>{formatBytes(data[name])}</dd>
          </div>
        ))}
      </dl>
      {data.members.length > 0 ? (
        <>
          <h3 className={own.members}>{t('about.members')}</h3>
          <ul className="t-list">
            {data.members.map((member, index) => (
              <li key={index} className="t-ends">
                <span className={styles.main}>
                  <Name>{member.name ?? t('versions.former')}</Name>
                </span>
                <span className="t-soft">
                  {t('files.sum', { count: member.files, size: formatBytes(member.bytes) })}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="t-soft">{t('files.emptyTitle')}</p>
      )}
    </section>
  )
}
