import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { CheckField } from '@/components/forms/Field'
import { Panel, Stack } from '@/components/forms/layout'
import { Term } from '@/components/Term'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatBytes, formatNumber } from '@/i18n/format'
import {
  relocationOf,
  removeWarehouse,
  startRelocation,
  warehouseKeys,
  type Relocation,
  type Warehouse,
  type WarehouseSummary,
} from '../api'
import { ACTIVE } from '../StatusChip'
import { warehouseName } from '../warehouse-name'

type Props = {
  warehouse: Warehouse
  summary: WarehouseSummary | undefined
  onRemoved: () => void
  onClose: () => void
}

/** The consequences of having too few warehouses, or too few Active ones. */
function lossOf(
  { status }: Warehouse,
  { total, active, needed }: WarehouseSummary,
): { key: string; left: number } | null {
  if (total - 1 < needed) return { key: 'remove.tooFew', left: total - 1 }
  if (status === ACTIVE && active - 1 < needed) return { key: 'remove.tooFewActive', left: active - 1 }
  return null
}

/** Pieces of files in the warehouse are moved first, or their loss is confirmed. */
export function RemoveDialog({ warehouse, summary, onRemoved, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const [givesUp, setGivesUp] = useState(false)
  const { data: relocation, error, isFetching, refetch } = useQuery(relocationOf(warehouse.id))
  const holds = relocation !== undefined && relocation.shards > 0
  const loss = summary && lossOf(warehouse, summary)
  const remove = useToastMutation(
    () => withVerification(() => removeWarehouse(warehouse.id, { loseData: holds && givesUp })),
    {
      success: t('toasts.removed'),
      failure: t('toasts.removeFailed'),
      refresh: [warehouseKeys.all],
      onDone: () => {
        onRemoved()
        onClose()
      },
    },
  )
  let reason: string | null = null
  if (!relocation) reason = t(error ? 'remove.pieces.unknown' : 'remove.pieces.checking')
  else if (holds && !givesUp) reason = t('remove.pieces.reason')
  return (
    <ConfirmDialog
      open
      destructive
      title={t('remove.title', { name: warehouseName(warehouse) })}
      confirmLabel={t('remove.confirm')}
      pending={remove.isPending}
      disabledReason={reason}
      onConfirm={() => void remove.mutate()}
      onClose={onClose}
    >
      <Stack>
        {loss ? (
          <Panel role="note">
            {t(loss.key, { count: loss.left, left: formatNumber(loss.left), needed: formatNumber(summary.needed) })}
          </Panel>
        ) : null}
        {!relocation && error ? (
          <Panel role="alert">
            <p>
              {t('remove.pieces.unknown')} {loadErrorMessage(error)}
            </p>
            <Button variant="outlined" pending={isFetching} onClick={() => void refetch()}>
              {t('actions.retry', { ns: 'common' })}
            </Button>
          </Panel>
        ) : null}
        {!relocation && !error ? <p role="status">{t('remove.pieces.checking')}</p> : null}
        {holds ? (
          <Pieces warehouse={warehouse} relocation={relocation} givesUp={givesUp} onGiveUp={setGivesUp} />
        ) : null}
        <p>{t('remove.text')}</p>
      </Stack>
    </ConfirmDialog>
  )
}

type PiecesProps = {
  warehouse: Warehouse
  relocation: Relocation
  givesUp: boolean
  onGiveUp: (givesUp: boolean) => void
}

function Pieces({ warehouse, relocation, givesUp, onGiveUp }: PiecesProps) {
  const { t } = useTranslation('warehouses')
  const { shards, bytes, isPossible, isUnderWay } = relocation
  const move = useToastMutation(() => withVerification(() => startRelocation(warehouse.id)), {
    success: t('remove.pieces.started'),
    failure: t('remove.pieces.failed'),
    refresh: [relocationOf(warehouse.id).queryKey],
  })
  return (
    <Panel role="note">
      <p>
        <Term name="piece">
          {t('remove.pieces.held', { count: shards, pieces: formatNumber(shards), bytes: formatBytes(bytes) })}
        </Term>
      </p>
      {isUnderWay ? <p>{t('remove.pieces.underWay')}</p> : null}
      {!isUnderWay && isPossible ? (
        <Button variant="outlined" pending={move.isPending} onClick={() => void move.mutate()}>
          {t('remove.pieces.move', { bytes: formatBytes(bytes) })}
        </Button>
      ) : null}
      {!isUnderWay && !isPossible ? <p>{t('remove.pieces.connectFirst')}</p> : null}
      <CheckField
        label={t('remove.pieces.giveUp')}
        checked={givesUp}
        onChange={(event) => onGiveUp(event.target.checked)}
      />
    </Panel>
  )
}
