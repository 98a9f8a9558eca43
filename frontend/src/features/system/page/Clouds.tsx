import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import type { SystemState } from '../api'
import { formatCount } from '../format'
import { FactRow } from './FactRow'
import styles from './system.module.css'

/** Warehouses are counted, not named: they are their companies' own. */
export function Clouds({ state: { failingClouds, countedUpTo } }: { state: SystemState }) {
  const { t } = useTranslation('system')
  return (
    <SectionCard title={t('clouds.title')} kind="flush">
      <ul className={styles.rows}>
        {failingClouds.map(({ cloud, cause, reason, warehouses, companies }) => (
          <FactRow
            key={`${cloud} ${cause}`}
            title={<bdi>{cloud}</bdi>}
            note={<bdi>{reason}</bdi>}
            facts={[
              { name: t('clouds.warehouses'), value: formatCount(warehouses, countedUpTo, t) },
              { name: t('clouds.companies'), value: formatCount(companies, countedUpTo, t) },
            ]}
          />
        ))}
      </ul>
      {failingClouds.length === 0 ? <p className={styles.note}>{t('clouds.empty')}</p> : null}
    </SectionCard>
  )
}
