import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { StorageIcon } from '@/components/icons/StorageIcon'
import { PageHeader } from '@/components/PageHeader'
import { Skeleton } from '@/components/Skeleton'
import { storageOverview, type StorageOverview } from './api'
import { Devices } from './page/Devices'
import { FormerMembers } from './page/FormerMembers'
import { MemberList } from './page/MemberList'
import { MonthChart } from './page/MonthChart'
import { HealthCard, StoredCard, UploadedCard } from './page/OverviewCards'
import { RecoveryWarning } from './page/RecoveryWarning'
import { Requests } from './page/Requests'
import { ServiceRestore } from './page/ServiceRestore'
import { Shares } from './page/Shares'
import styles from './page/storage.module.css'
import { WarehouseTable } from './page/WarehouseTable'

export default function StoragePage() {
  const { t } = useTranslation('storage')
  const { data, error, refetch } = useQuery(storageOverview)
  return (
    <>
      <PageHeader
        title={t('title')}
        sub={t('sub')}
        icon={<StorageIcon />}
        actions={
          <LinkButton to="/download" variant="outlined" size="large">
            <DownloadIcon />
            {t('download')}
          </LinkButton>
        }
      />
      {data ? <Overview overview={data} /> : null}
      {!data && error ? (
        <ErrorState title={t('failed')} text={loadErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton label={t('loading')} heights={[158, 242, 250]} /> : null}
    </>
  )
}

function Overview({ overview }: { overview: StorageOverview }) {
  const { t } = useTranslation('storage')
  const { usage, health, repair, waiting, former, restore } = overview
  const warnings = (
    <>
      <ServiceRestore restore={restore} />
      <FormerMembers members={former} />
      <RecoveryWarning recovery={health.recovery} />
    </>
  )
  if (usage.stored === 0 && usage.months.length === 0) {
    return (
      <div className={`t-grid ${styles.page}`}>
        {warnings}
        <EmptyState
          title={t('empty.title')}
          text={t('empty.text')}
          actions={<LinkButton to="/download">{t('download')}</LinkButton>}
        />
        <Devices />
      </div>
    )
  }
  return (
    <div className={`t-grid ${styles.page}`}>
      {warnings}
      <div className={styles.cards}>
        <UploadedCard usage={usage} />
        <StoredCard usage={usage} />
        <HealthCard health={health} repair={repair} />
      </div>
      <div className={styles.columns}>
        <MonthChart usage={usage} />
        <MemberList usage={usage} waiting={waiting} />
      </div>
      <WarehouseTable usage={usage} health={health} />
      <Shares />
      <Requests />
      <Devices />
    </div>
  )
}
