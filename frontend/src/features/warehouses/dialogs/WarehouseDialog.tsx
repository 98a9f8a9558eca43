import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog/Dialog'
import type { WarehouseDetails } from '../api'
import { WarehouseForm } from '../form/WarehouseForm'
import { WithProviders } from '../WithProviders'

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
      <WithProviders>
        {(described) => {
          const [first, ...others] = described.filter(({ type, isConnectable }) =>
            details ? type === details.wareHouseId : isConnectable,
          )
          if (!first) throw new Error('the service describes no such provider')
          const providers = [first, ...others] as const
          return (
            <WarehouseForm
              providers={providers}
              details={details}
              onSaved={onSaved}
              onPending={setPending}
              onClose={onClose}
            />
          )
        }}
      </WithProviders>
    </Dialog>
  )
}
