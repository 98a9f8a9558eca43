import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { LogoutIcon } from '@/components/icons/LogoutIcon'
import { PageHeader } from '@/components/PageHeader'
import { QueryResult } from '@/components/QueryResult'
import { SectionCard } from '@/components/SectionCard'
import { useExport } from '@/hooks/use-export'
import { useUser } from '@/hooks/use-session'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDate } from '@/i18n/format'
import { exportRecords, leavingQuery, stay, type Leaving } from './leave/api'
import { LeavingDates } from './leave/LeavingDates'
import styles from './leave/leave.module.css'

const LeaveDialog = lazy(() => import('./leave/LeaveDialog'))

/** The subscription, the banner and this page show what the company decided. */
const changed = [['company'], ['payment']]

export default function LeavePage() {
  const { t } = useTranslation('leave')
  const leaving = useQuery(leavingQuery)
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<LogoutIcon />} />
      <div className={styles.page}>
        <QueryResult query={leaving} loading={t('loading')} heights={[240, 180, 240]} failed={t('loadFailed')}>
          {(data) => (
            <>
              {data.leavingSince ? <Staying leaving={data} since={data.leavingSince} /> : null}
              <Files leaving={data} />
              <Records />
              {data.leavingSince ? null : <Leave leaving={data} />}
            </>
          )}
        </QueryResult>
      </div>
    </>
  )
}

function Staying({ leaving, since }: { leaving: Leaving; since: string }) {
  const { t } = useTranslation('leave')
  const change = useToastMutation(stay, { success: t('stayed'), failure: t('stay.failed'), refresh: changed })
  return (
    <SectionCard title={t('stay.title')}>
      <p className={styles.text}>{t('stay.asked', { date: formatDate(since, 'long') })}</p>
      <LeavingDates leaving={leaving} />
      <p className={styles.text}>
        {t('stay.text')} <Link to="/subscription">{t('stay.subscription')}</Link>
      </p>
      <Button size="large" pending={change.isPending} onClick={() => void change.mutate()}>
        {t('stay.button')}
      </Button>
    </SectionCard>
  )
}

function Files({ leaving }: { leaving: Leaving }) {
  const { t } = useTranslation('leave')
  const user = useUser()
  const date = formatDate(leaving.deletionAt, 'long')
  return (
    <SectionCard title={t('files.title')}>
      <p className={styles.text}>
        {t('files.text', { date })} {user?.isSubscribed ? <Link to="/download">{t('files.download')}</Link> : null}
      </p>
      <CodeBlock text="tess export tessera-files" caption={t('files.caption')} copyLabel={t('files.copy')} />
      <ul className={styles.list}>
        <li>{t('files.own')}</li>
        <li>{t('files.shared', { date })}</li>
      </ul>
    </SectionCard>
  )
}

function Records() {
  const { t } = useTranslation('leave')
  const save = useExport({
    file: 'tessera-records',
    ending: 'zip',
    load: exportRecords,
    failure: t('records.failed'),
  })
  return (
    <SectionCard title={t('records.title')}>
      <p className={styles.text}>{t('records.text')}</p>
      <Button
        variant="outlined"
        size="large"
        icon={<DownloadIcon />}
        pending={save.isPending}
        onClick={() => void save.mutate()}
      >
        {t('records.button')}
      </Button>
    </SectionCard>
  )
}

function Leave({ leaving }: { leaving: Leaving }) {
  const { t } = useTranslation('leave')
  const client = useQueryClient()
  const user = useUser()
  const [asking, setAsking] = useState(false)
  return (
    <SectionCard title={t('leave.title')}>
      <p className={styles.text}>{t('leave.text')}</p>
      <LeavingDates leaving={leaving} />
      <p className={styles.text}>{t('leave.proof')}</p>
      <Button variant="outlined" size="large" danger onClick={() => setAsking(true)}>
        {t('leave.button')}
      </Button>
      <Suspense fallback={null}>
        {asking && user ? (
          <LeaveDialog
            company={user.companyName}
            leaving={leaving}
            onDone={() => changed.forEach((queryKey) => void client.invalidateQueries({ queryKey }))}
            onClose={() => setAsking(false)}
          />
        ) : null}
      </Suspense>
    </SectionCard>
  )
}
