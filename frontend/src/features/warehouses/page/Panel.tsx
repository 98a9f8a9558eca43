import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { DefaultCheck } from '@/components/forms/DefaultCheck'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDate, formatDateTime } from '@/i18n/format'
import { setDefaultWarehouse, warehouseKeys, type Warehouse, type WarehouseDetails } from '../api'
import { valueOf } from '../form/warehouse-form'
import { CONNECTED } from '../StatusChip'
import { WithProviders } from '../WithProviders'
import styles from './panel.module.css'
import { RepublishButton } from './RepublishButton'
import { SecretValue } from './SecretValue'

export type PanelProps = {
  warehouse: Warehouse
  details: WarehouseDetails
  /** Why it cannot be removed. */
  keptBecause: string | null
  onEdit: () => void
  onRemove: () => void
}

export default function Panel({ warehouse, details, keptBecause, onEdit, onRemove }: PanelProps) {
  const { t } = useTranslation('warehouses')
  const { wareHouseId: type, status, lastCheck, dateCreated, credentialsSince } = warehouse
  return (
    <>
      <WithProviders>
        {(providers) => (
          <dl className={styles.fields}>
            {providers
              .filter((provider) => provider.type === type)
              .flatMap(({ fields }) => fields)
              .map(({ name, label, secret, wide }) => (
                <div key={name} className={styles.field} data-wide={wide}>
                  <dt className="t-soft">{label}</dt>
                  <dd>
                    {secret ? (
                      <SecretValue label={label} warehouseId={details.id} field={name} />
                    ) : (
                      <PlainValue value={valueOf(details, name)} />
                    )}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </WithProviders>
      <p className={`t-soft ${styles.times}`}>
        {t('check.at', { time: lastCheck ? formatDateTime(lastCheck) : t('check.never') })}
        {' · '}
        {t('check.added', { date: formatDate(dateCreated) })}
        {' · '}
        {t('credentials.since', { date: formatDate(credentialsSince) })}
      </p>
      <div className="t-line">
        <Button onClick={onEdit}>{t('edit.button')}</Button>
        {status === CONNECTED ? <RepublishButton warehouse={warehouse} /> : null}
        <DefaultWarehouseCheck warehouse={warehouse} />
        <span className={styles.gap} />
        <Button variant="text" danger disabledReason={keptBecause} onClick={onRemove}>
          {t('remove.button')}
        </Button>
      </div>
    </>
  )
}

function PlainValue({ value }: { value: string }) {
  const { t } = useTranslation('warehouses')
  if (!value) return <span className="t-soft">{t('fields.none')}</span>
  return (
    <bdi dir="ltr" className={styles.value}>
      {value}
    </bdi>
  )
}

function DefaultWarehouseCheck({ warehouse: { id, isDefault } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  const choose = useToastMutation(() => withVerification(() => setDefaultWarehouse(id)), {
    success: t('toasts.updated'),
    failure: t('toasts.updateFailed'),
    refresh: [warehouseKeys.all],
  })
  return (
    <DefaultCheck
      label={t('default.label')}
      checked={isDefault || choose.isPending}
      disabled={isDefault || choose.isPending}
      title={isDefault ? t('default.stays') : undefined}
      onChoose={() => void choose.mutate()}
    />
  )
}
