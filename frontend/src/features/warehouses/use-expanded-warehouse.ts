import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { getWarehouse, type Warehouse, type WarehouseDetails } from './api'

/** As long as one counts as verified. */
export const OPEN_MS = 5 * 60_000

/** What cannot be opened any more is to be typed in anew, into an empty form. */
async function readDetails(warehouse: Warehouse): Promise<WarehouseDetails> {
  try {
    return await withVerification(() => getWarehouse(warehouse.id))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'credentials_unreadable') return warehouse
    throw error
  }
}

/**
 * The one warehouse whose details are shown. Its credentials live in this state only: they are read after
 * verification and forgotten when the row closes, or by themselves after five minutes.
 */
export function useExpandedWarehouse() {
  const { t } = useTranslation('warehouses')
  const [details, setDetails] = useState<WarehouseDetails | null>(null)
  const [asked, setAsked] = useState<number | null>(null)
  const reading = useToastMutation(
    async (warehouse: Warehouse, then: (details: WarehouseDetails) => void) => then(await readDetails(warehouse)),
    { failure: t('toasts.openFailed') },
  )

  useEffect(() => {
    if (!details) return
    const timer = window.setTimeout(() => setDetails(null), OPEN_MS)
    return () => window.clearTimeout(timer)
  }, [details])

  /** Hands the details on, which are asked for unless they are shown already. */
  function read(warehouse: Warehouse, then: (details: WarehouseDetails) => void) {
    if (details?.id === warehouse.id) {
      then(details)
      return
    }
    setAsked(warehouse.id)
    void reading.mutate(warehouse, then)
  }

  return {
    details,
    /** The one that is being read. */
    busy: reading.isPending ? asked : null,
    read,
    toggle: (warehouse: Warehouse) => (details?.id === warehouse.id ? setDetails(null) : read(warehouse, setDetails)),
    close: () => setDetails(null),
    /** After a change of the one that is shown. */
    follow: (changed: WarehouseDetails) => {
      if (details?.id === changed.id) setDetails(changed)
    },
  }
}
