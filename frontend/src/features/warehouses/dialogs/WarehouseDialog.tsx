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

/** One dialog for a new warehouse and an old one: a new one that could not be connected becomes an old one in it. */
export default function WarehouseDialog({ details, onSaved, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'auth', 'errors'])
  const [pending, setPending] = useState(false)
  const [stored, setStored] = useState(details !== null)
  return (
    <Dialog open onClose={pending ? undefined : onClose} size="medium" title={t(stored ? 'edit.title' : 'add.title')}>
      <WarehouseForm
        details={details}
        onSaved={(saved) => {
          setStored(true)
          onSaved(saved)
        }}
        onPending={setPending}
        onClose={onClose}
      />
    </Dialog>
  )
}
