import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormSetError } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { VerificationCancelledError, withVerification } from '@/api/verification'
import { applyServerErrors } from '@/components/forms/apply-server-errors'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { addWarehouse, updateWarehouse, warehouseKeys, type WarehouseDetails } from '../api'
import { NOT_CONNECTED } from '../StatusChip'
import type { WarehouseType } from '../warehouse-type'
import { toBody, wireNames, type WarehouseForm } from './warehouse-form'

type Parts = {
  details: WarehouseDetails | null
  setError: UseFormSetError<WarehouseForm>
  onSaved: (details: WarehouseDetails) => void
  onPending: (pending: boolean) => void
  onClose: () => void
}

/** Saves, and closes unless the provider refused: then what is stored stays here to be mended. */
export function useSaveWarehouse({ details, setError, onSaved, onPending, onClose }: Parts) {
  const { t } = useTranslation('warehouses')
  const client = useQueryClient()
  const [stored, setStored] = useState(details)

  async function send(type: WarehouseType, form: WarehouseForm): Promise<void> {
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

  const save = useSecretMutation(async (type: WarehouseType, form: WarehouseForm) => {
    onPending(true)
    try {
      await send(type, form)
    } catch (error) {
      if (error instanceof VerificationCancelledError || applyServerErrors(error, setError, wireNames)) return
      toast.error(errorMessage(error, t(stored ? 'toasts.updateFailed' : 'toasts.addFailed')))
    } finally {
      onPending(false)
    }
  })
  return { stored, save }
}
