import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PanelCard } from '@/components/PanelCard'
import { formatNumber } from '@/i18n/format'
import { warehousesList } from './api'
import { StatusChip } from './StatusChip'
import { warehouseName } from './warehouse-name'

const SHOWN = 5

/** In the quick panel: the status of each warehouse. */
export default function WarehousesSection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('warehouses')
  const query = useQuery(warehousesList({ skip: 0, limit: SHOWN }))
  const { item1: warehouses = [], item2: count = 0, summary } = query.data ?? {}
  const more = count - warehouses.length
  return (
    <PanelCard
      query={query}
      loading={t('loading')}
      height={120}
      page="/warehouses"
      open={t('quickPanel.open')}
      onClose={onClose}
    >
      {summary && warehouses.length > 0 ? (
        <>
          <strong>
            {t('quickPanel.active', { active: formatNumber(summary.active), needed: formatNumber(summary.needed) })}
          </strong>
          <ul className="t-grid">
            {warehouses.map((warehouse) => (
              <li key={warehouse.id} className="t-ends">
                <bdi>{warehouseName(warehouse)}</bdi>
                <StatusChip status={warehouse.status} />
              </li>
            ))}
          </ul>
          {more > 0 ? <p className="t-soft">{t('quickPanel.more', { count: more })}</p> : null}
        </>
      ) : (
        <p className="t-soft">{t('empty.title')}</p>
      )}
    </PanelCard>
  )
}
