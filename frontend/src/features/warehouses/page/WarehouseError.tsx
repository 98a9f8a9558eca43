import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import type { Warehouse } from '../api'
import { CONNECTED, NOT_CONNECTED } from '../StatusChip'
import { warehouseName } from '../warehouse-name'
import { RepublishButton } from './RepublishButton'
import styles from './row.module.css'
import { WarningIcon } from '@/components/icons/WarningIcon'

type Props = { warehouse: Warehouse; /** The actions are in the panel then. */ open: boolean; onEdit: () => void }

/** Why a warehouse is not Active, and what to do about it. */
export function WarehouseError({ warehouse, open, onEdit }: Props) {
  const { t } = useTranslation('warehouses')
  const { status, lastError, checking } = warehouse
  if (!lastError || checking) return null
  return (
    <div className={`t-line ${styles.cause}`} data-status={status}>
      <WarningIcon />
      <p>{lastError}</p>
      {!open && status === NOT_CONNECTED ? (
        <Button variant="outlined" aria-label={t('edit.of', { name: warehouseName(warehouse) })} onClick={onEdit}>
          {t('edit.button')}
        </Button>
      ) : null}
      {!open && status === CONNECTED ? <RepublishButton warehouse={warehouse} /> : null}
    </div>
  )
}
