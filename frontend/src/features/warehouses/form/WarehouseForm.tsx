import { useId, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Field } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { FormError } from '@/components/forms/FormError'
import { useApiForm } from '@/components/forms/use-api-form'
import type { WarehouseDetails } from '../api'
import { ProviderMark } from '../ProviderMark'
import { NOT_CONNECTED } from '../StatusChip'
import { GOOGLE, helpFor, S3, typeName, WAREHOUSE_TYPES, type WarehouseType } from '../warehouse-type'
import { CredentialFields } from './CredentialFields'
import { fieldsOf, isRequired, labelKey } from './fields'
import styles from './form.module.css'
import { GoogleAccountField } from './GoogleAccountField'
import { useSaveWarehouse, type SaveAction } from './use-save-warehouse'
import { emptyForm, toForm, typeOf, warehouseSchema, wireNames, type WarehouseForm as Values } from './warehouse-form'

type Props = {
  details: WarehouseDetails | null
  onSaved: (details: WarehouseDetails) => void
  onPending: (pending: boolean) => void
  onClose: () => void
}

export function WarehouseForm({ details, onSaved, onPending, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const [type, setType] = useState<WarehouseType>(details ? typeOf(details) : S3)
  const { tested, run } = useSaveWarehouse({ details, onSaved, onClose })
  const action = useRef<SaveAction>('save')
  const form = useApiForm<Values>({
    schema: warehouseSchema(type),
    defaultValues: details ? toForm(details) : emptyForm,
    serverNames: wireNames,
    failureToast: t(details ? 'toasts.updateFailed' : 'toasts.addFailed'),
    submit: async (given) => {
      onPending(true)
      try {
        await run(action.current, type, given)
      } finally {
        onPending(false)
      }
    },
  })
  const { register, handleSubmit, setValue, clearErrors, control, formState, mutation } = form
  const values = useWatch({ control })
  const missing = fieldsOf(type).filter((field) => isRequired(type, field, values) && !values[field]?.trim())
  const start = (next: SaveAction) => {
    action.current = next
    void handleSubmit(async (given) => {
      await mutation.mutate(given)
    })()
  }
  const incomplete =
    missing.length > 0
      ? t('form.missing', { fields: missing.map((field) => t(labelKey(type, field))).join(t('form.separator')) })
      : null
  const cause = tested ? tested.error : details?.status === NOT_CONNECTED ? details.lastError : null

  return (
    <Form className={styles.form} onSubmit={() => start('save')}>
      <DialogContent className={styles.content}>
        {cause && !mutation.isPending ? (
          <FormError takesFocus={tested !== null}>
            {t(tested ? 'form.testFailed' : 'form.notConnected', { cause })}
          </FormError>
        ) : null}
        <TypePicker
          type={type}
          locked={details !== null}
          onChange={(next) => {
            setType(next)
            clearErrors()
          }}
        />
        <p className={styles.help}>
          {t('form.help', { type: typeName(type) })} {/* Opens in a new tab, so that the form keeps what was typed. */}
          <Link to={helpFor(type)} target="_blank" rel="noopener">
            {t('form.helpLink')}
          </Link>
        </p>
        <Field
          label={t('fields.nickName')}
          hint={t('hints.nickName')}
          autoComplete="off"
          maxLength={100}
          error={formState.errors.nickName?.message}
          {...register('nickName')}
        />
        {type === GOOGLE ? (
          <GoogleAccountField
            onRead={(account) => {
              for (const [field, value] of Object.entries(account)) {
                setValue(field as keyof Values, value, { shouldDirty: true, shouldValidate: true })
              }
            }}
          />
        ) : null}
        <CredentialFields key={type} type={type} values={values} register={register} errors={formState.errors} />
        {mutation.isPending ? (
          <p className={styles.progress} role="status">
            {t('form.checking', { type: typeName(type) })}
          </p>
        ) : null}
        {tested?.connected && !mutation.isPending ? (
          <p className={styles.works} role="status">
            {t('form.works', { type: typeName(type) })}
          </p>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose} disabled={mutation.isPending}>
          {t('actions.cancel', { ns: 'common' })}
        </Button>
        {tested && !tested.connected ? (
          <Button variant="text" disabled={mutation.isPending} onClick={() => start('saveAnyway')}>
            {t('form.saveAnyway')}
          </Button>
        ) : null}
        <Button
          variant="outlined"
          disabled={mutation.isPending}
          disabledReason={incomplete}
          onClick={() => start('test')}
        >
          {t('form.test')}
        </Button>
        <Button type="submit" pending={mutation.isPending} disabledReason={incomplete}>
          {t(details ? 'edit.save' : 'add.save')}
        </Button>
      </DialogActions>
    </Form>
  )
}

type TypePickerProps = {
  type: WarehouseType
  /** The type of a stored warehouse cannot change. */
  locked: boolean
  onChange: (type: WarehouseType) => void
}

function TypePicker({ type, locked, onChange }: TypePickerProps) {
  const { t } = useTranslation('warehouses')
  const name = useId()
  if (locked) {
    return (
      <div className={styles.locked}>
        <ProviderMark type={type} small />
        <bdi>{typeName(type)}</bdi>
        <span className={styles.soft}>{t('form.typeStays')}</span>
      </div>
    )
  }
  return (
    <fieldset className={styles.types}>
      <legend>{t('fields.type')}</legend>
      {WAREHOUSE_TYPES.map((each) => (
        <label key={each} className={styles.type}>
          <input type="radio" name={name} value={each} checked={each === type} onChange={() => onChange(each)} />
          <ProviderMark type={each} small />
          <bdi>{typeName(each)}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
