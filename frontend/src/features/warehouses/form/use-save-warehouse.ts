import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import { addWarehouse, updateWarehouse, warehouseKeys, type WarehouseDetails } from '../api'
import { NOT_CONNECTED } from '../StatusChip'
import type { WarehouseType } from '../warehouse-type'
import { toBody, type WarehouseForm } from './warehouse-form'

type Parts = {
  details: WarehouseDetails | null
  onSaved: (details: WarehouseDetails) => void
  onClose: () => void
}

/** Saves, and closes unless the provider refused: then what is stored stays here to be mended. */
export function useSaveWarehouse({ details, onSaved, onClose }: Parts) {
  const { t } = useTranslation('warehouses')
  const client = useQueryClient()
  const [stored, setStored] = useState(details)

  async function save(type: WarehouseType, form: WarehouseForm): Promise<void> {
    const body = toBody(type, form)
    const { warehouse, processing } = await withVerification(() =>
      stored ? updateWarehouse({ ...body, id: stored.id }) : addWarehouse(body),
    )
    void client.invalidateQueries({ queryKey: warehouseKeys.all })
    const next: WarehouseDetails = { ...stored, ...body, ...warehouse }
    onSaved(next)
    if (processing) toast.warning(t('toasts.processing'))
    else toast.success(t(stored ? 'toasts.updated' : 'toasts.added'))
    if (!processing && warehouse.status === NOT_CONNECTED) setStored(next)
    else onClose()
  }

  return { stored, save }
}
