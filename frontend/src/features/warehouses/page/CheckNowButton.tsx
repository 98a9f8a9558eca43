import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { checkWarehouse, warehouseKeys, type Warehouse } from '../api'
import { ACTIVE } from '../StatusChip'
import { warehouseName } from '../warehouse-name'

/** Not there while a check is running, whose outcome the list shows. */
export function CheckNowButton({ warehouse }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  const name = warehouseName(warehouse)
  const check = useToastMutation(
    async () => {
      const { checking, status, lastError } = await checkWarehouse(warehouse.id)
      if (checking) toast.warning(t('toasts.processing'))
      else if (status === ACTIVE) toast.success(t('check.isActive', { name }))
      else toast.warning(t('check.notActive', { name, cause: lastError ?? t(`status.${status}`) }))
    },
    { failure: t('check.failed'), refresh: [warehouseKeys.all] },
  )
  if (warehouse.checking) return null
  return (
    <Button
      variant="text"
      size="small"
      aria-label={t('check.nowOf', { name })}
      pending={check.isPending}
      onClick={() => void check.mutate()}
    >
      {t('check.now')}
    </Button>
  )
}
