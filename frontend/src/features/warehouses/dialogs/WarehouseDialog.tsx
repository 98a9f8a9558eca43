import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog/Dialog'
import type { WarehouseDetails } from '../api'
import { WarehouseForm } from '../form/WarehouseForm'

type Props = {
  /** Of the one to edit; null for a new one. */
  details: WarehouseDetails | null
  onSaved: (details: WarehouseDetails) => void
  onClose: () => void
}

export default function WarehouseDialog({ details, onSaved, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'auth', 'errors'])
  const [pending, setPending] = useState(false)
  return (
    <Dialog open onClose={pending ? undefined : onClose} size="medium" title={t(details ? 'edit.title' : 'add.title')}>
      <WarehouseForm details={details} onSaved={onSaved} onPending={setPending} onClose={onClose} />
    </Dialog>
  )
}
