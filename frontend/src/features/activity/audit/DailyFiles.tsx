import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { SelectField } from '@/components/forms/Field'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { saveStream, STREAM_KEY, type AuditStream } from './api'
import { TargetState } from './TargetState'

export function DailyFiles({ stream }: { stream: AuditStream }) {
  const { t } = useTranslation('audit')
  const id = useId()
  const { warehouses, warehouseId, warehouse, webhook } = stream
  const save = useToastMutation(
    (chosen: number | null) => withVerification(() => saveStream({ webhook: webhook !== null, warehouseId: chosen })),
    { success: t('toasts.saved'), failure: t('toasts.saveFailed'), refresh: [STREAM_KEY] },
  )
  return (
    <section className="t-grid" aria-labelledby={id}>
      <h3 id={id}>{t('files.title')}</h3>
      <p className="t-soft">{t('files.text')}</p>
      {warehouses.length > 0 ? (
        <SelectField
          label={t('files.warehouse')}
          value={warehouseId ?? ''}
          disabled={save.isPending}
          onChange={({ target }) => void save.mutate(target.value ? Number(target.value) : null)}
        >
          <option value="">{t('files.none')}</option>
          {warehouses.map(({ id: key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : (
        <p className="t-soft">{t('files.noWarehouses')}</p>
      )}
      {warehouse ? <TargetState target="warehouse" state={warehouse} replayDays={stream.replayDays} /> : null}
    </section>
  )
}
