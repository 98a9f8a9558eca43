import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { Term } from '@/components/Term'
import { ProviderMark, StatusChip } from '@/features/warehouses'
import { formatBytes, formatNumber } from '@/i18n/format'
import type { Health, Usage } from '../api'
import styles from './storage.module.css'

type Props = { usage: Usage; health: Health }

export function WarehouseTable({ usage, health }: Props) {
  const { t } = useTranslation(['storage', 'warehouses'])
  const held = new Map(usage.warehouses.map((row) => [row.id, row]))
  const pieces = usage.warehouses.reduce((sum, { shards }) => sum + shards, 0)
  return (
    <SectionCard
      kind="flush"
      title={t('warehouses.title')}
      remark={
        <Term name="piece">
          {t('warehouses.sum', {
            count: pieces,
            pieces: formatNumber(pieces),
            bytes: formatBytes(usage.storedCoded),
          })}
        </Term>
      }
    >
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('warehouses.title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('warehouses.name')}</th>
              <th scope="col">{t('warehouses.status')}</th>
              <th scope="col" data-number>
                {t('warehouses.pieces')}
              </th>
              <th scope="col" data-number>
                {t('warehouses.stored')}
              </th>
              <th scope="col" data-number>
                {t('warehouses.missing')}
              </th>
            </tr>
          </thead>
          <tbody>
            {health.warehouses.map(({ id: warehouse, name, type, typeName, status, shards, missing }) => (
              <tr key={warehouse}>
                <th scope="row">
                  <span className={styles.warehouse}>
                    <ProviderMark type={type} small />
                    <bdi>{name}</bdi>
                    <span className="t-soft">{typeName}</span>
                  </span>
                </th>
                <td>
                  <StatusChip status={status} />
                </td>
                <td data-number>{formatNumber(shards)}</td>
                <td data-number>{formatBytes(held.get(warehouse)?.bytes ?? 0)}</td>
                <td data-number data-missing={missing > 0}>
                  {formatNumber(missing)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </SectionCard>
  )
}
