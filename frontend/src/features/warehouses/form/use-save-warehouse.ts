import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import { addWarehouse, testConnection, updateWarehouse, warehouseKeys, type WarehouseDetails } from '../api'
import type { Provider } from '../providers'
import { NOT_CONNECTED } from '../StatusChip'
import { toBody, type WarehouseForm } from './warehouse-form'

type ConnectionTest = Awaited<ReturnType<typeof testConnection>>
export type SaveAction = 'test' | 'save' | 'saveAnyway'

type Parts = {
  details: WarehouseDetails | null
  onSaved: (details: WarehouseDetails) => void
  onClose: () => void
}

/** Tests the connection first, and saves what works; anything else only when asked to. */
export function useSaveWarehouse({ details, onSaved, onClose }: Parts) {
  const { t } = useTranslation('warehouses')
  const client = useQueryClient()
  const [tested, setTested] = useState<ConnectionTest | null>(null)

  async function test(provider: Provider, form: WarehouseForm): Promise<boolean> {
    setTested(null)
    const body = toBody(provider, form)
    const result = await withVerification(() => testConnection(details ? { ...body, id: details.id } : body))
    setTested(result)
    return result.connected
  }

  async function save(provider: Provider, form: WarehouseForm): Promise<void> {
    const body = toBody(provider, form)
    const { warehouse, processing } = await withVerification(() =>
      details ? updateWarehouse({ ...body, id: details.id }) : addWarehouse(body),
    )
    void client.invalidateQueries({ queryKey: warehouseKeys.all })
    onSaved({ ...details, ...body, ...warehouse })
    if (processing) toast.warning(t('toasts.processing'))
    else if (warehouse.status === NOT_CONNECTED) toast.warning(t('toasts.notConnected'))
    else toast.success(t(details ? 'toasts.updated' : 'toasts.added'))
    onClose()
  }

  async function run(action: SaveAction, provider: Provider, form: WarehouseForm): Promise<void> {
    const works = action === 'saveAnyway' || (await test(provider, form))
    if (works && action !== 'test') await save(provider, form)
  }
  return { tested, run }
}
