import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { getWarehouse, type Warehouse, type WarehouseDetails } from './api'

const VERIFIED_SECONDS = 300

/** Credentials that can no longer be decrypted have to be entered again, in an empty form. */
async function readDetails(warehouse: Warehouse, view: 'edit' | 'masked'): Promise<WarehouseDetails> {
  try {
    return await withVerification(() => getWarehouse(warehouse.id, view))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'credentials_unreadable') return warehouse
    throw error
  }
}

/** The one warehouse whose details are shown, with the secrets masked, until the verified access ends. */
export function useExpandedWarehouse() {
  const { t } = useTranslation('warehouses')
  const [details, setDetails] = useState<WarehouseDetails | null>(null)
  const [closesAt, setClosesAt] = useState(0)
  const [asked, setAsked] = useState<number | null>(null)
  const reading = useToastMutation(
    async (warehouse: Warehouse, view: 'edit' | 'masked', then: (details: WarehouseDetails) => void) => {
      // What shows the details is loaded while they are.
      const [details] = await Promise.all([readDetails(warehouse, view), view === 'masked' && import('./page/Panel')])
      then(details)
    },
    { failure: t('toasts.openFailed') },
  )
  const isOpen = details !== null

  useEffect(() => {
    if (!isOpen) return
    const timer = window.setTimeout(() => setDetails(null), closesAt - Date.now())
    return () => window.clearTimeout(timer)
  }, [isOpen, closesAt])

  function read(warehouse: Warehouse, view: 'edit' | 'masked', then: (details: WarehouseDetails) => void) {
    setAsked(warehouse.id)
    void reading.mutate(warehouse, view, then)
  }

  function show(shown: WarehouseDetails) {
    setDetails(shown)
    setClosesAt(Date.now() + (shown.verifiedFor ?? VERIFIED_SECONDS) * 1000)
  }

  return {
    details,
    /** The one that is being read. */
    busy: reading.isPending ? asked : null,
    edit: (warehouse: Warehouse, then: (details: WarehouseDetails) => void) => read(warehouse, 'edit', then),
    toggle: (warehouse: Warehouse) =>
      details?.id === warehouse.id ? setDetails(null) : read(warehouse, 'masked', show),
    close: () => setDetails(null),
    /** After a change of the one that is shown. */
    follow: (changed: WarehouseDetails) => {
      if (details?.id === changed.id) setDetails(changed)
    },
  }
}
