import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '@/features/warehouses/StatusChip'
import { warehouseName } from '@/features/warehouses/warehouse-type'
import type { CompanyDetail } from '../api'
import styles from './drawer.module.css'

/** How each warehouse of a company stands; an admin sees no more of it. */
export function CompanyWarehouses({ company }: { company: CompanyDetail }) {
  const { t } = useTranslation('companies')
  return (
    <>
      {t(company.canViewWarehouse ? 'detail.ownWarehouses' : 'detail.sharedWarehouses')}
      {company.warehouses.length > 0 ? (
        <ul className={styles.warehouses}>
          {company.warehouses.map((warehouse, index) => (
            <li key={index}>
              <bdi>{warehouseName(warehouse)}</bdi>
              <Suspense fallback={null}>
                <StatusChip status={warehouse.status} />
              </Suspense>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
