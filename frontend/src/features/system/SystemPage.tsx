import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ComputerIcon } from '@/components/icons/ComputerIcon'
import { PageHeader } from '@/components/PageHeader'
import { QueryResult } from '@/components/QueryResult'
import { formatClock, formatNumber } from '@/i18n/format'
import { REFRESH_SECONDS, systemQuery } from './api'
import { Clouds } from './page/Clouds'
import { DatabaseState } from './page/DatabaseState'
import { Messages } from './page/Messages'
import { Processes } from './page/Processes'
import { Queues } from './page/Queues'
import { Summary } from './page/Summary'
import styles from './page/system.module.css'

/** What a platform admin sees of the whole installation at a glance. */
export default function SystemPage() {
  const { t } = useTranslation('system')
  const system = useQuery(systemQuery())
  return (
    <>
      <PageHeader
        title={t('title')}
        icon={<ComputerIcon />}
        sub={
          <>
            {t('sub')}{' '}
            {system.data
              ? t('readAt', { time: formatClock(system.data.readAt), seconds: formatNumber(REFRESH_SECONDS) })
              : null}
          </>
        }
      />
      <div className={styles.page}>
        <QueryResult
          query={system}
          loading={t('loading')}
          heights={[88, 220, 160]}
          failed={system.data ? t('failedAgain') : t('failed')}
          heading="h2"
        >
          {(state) => (
            <>
              <Summary state={state} />
              <div className={styles.cards}>
                <Queues state={state} />
                <Clouds state={state} />
                <Messages state={state} />
                <DatabaseState state={state} />
              </div>
              <Processes state={state} />
            </>
          )}
        </QueryResult>
      </div>
    </>
  )
}
