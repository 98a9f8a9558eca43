import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { causeOf } from '@/api/errors'
import { formatNumber } from '@/i18n/format'
import { warehousesList } from './api/list-warehouses'
import styles from './quick-panel.module.css'
import { StatusChip } from './StatusChip'
import { warehouseName } from './warehouse-type'

const SHOWN = 5

/** In the quick panel: how each warehouse stands. */
export default function WarehousesSection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('warehouses')
  const { data, error, refetch } = useQuery(warehousesList({ skip: 0, limit: SHOWN }))
  const more = data ? data.item2 - data.item1.length : 0
  return (
    <div className={styles.section}>
      {data && data.item1.length > 0 ? (
        <>
          <p className={styles.sum}>
            {t('quickPanel.active', {
              active: formatNumber(data.summary.active),
              needed: formatNumber(data.summary.needed),
            })}
          </p>
          <ul className={styles.list}>
            {data.item1.map((warehouse) => (
              <li key={warehouse.id}>
                <bdi>{warehouseName(warehouse)}</bdi>
                <StatusChip status={warehouse.status} />
              </li>
            ))}
          </ul>
          {more > 0 ? <p className={styles.text}>{t('quickPanel.more', { count: more })}</p> : null}
        </>
      ) : null}
      {data?.item1.length === 0 ? <p className={styles.text}>{t('empty.title')}</p> : null}
      {!data && error ? (
        <p role="alert" className={styles.text}>
          {causeOf(error)}{' '}
          <button type="button" className={styles.retry} onClick={() => void refetch()}>
            {t('actions.retry', { ns: 'common' })}
          </button>
        </p>
      ) : null}
      {!data && !error ? <div role="status" aria-label={t('loading')} className={styles.wait} /> : null}
      <Link to="/warehouses" onClick={onClose}>
        {t('quickPanel.open')}
      </Link>
    </div>
  )
}
