import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Field } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { FormError, Stack, Status } from '@/components/forms/layout'
import { Tiles } from '@/components/forms/Tiles'
import { useApiForm } from '@/components/forms/use-api-form'
import type { WarehouseDetails } from '../api'
import { ProviderMark } from '../ProviderMark'
import { isRequired, type Provider } from '../providers'
import { NOT_CONNECTED } from '../StatusChip'
import { CredentialFields } from './CredentialFields'
import styles from './form.module.css'
import { KeyFileField } from './KeyFileField'
import { useSaveWarehouse, type SaveAction } from './use-save-warehouse'
import { toForm, warehouseSchema, type WarehouseForm as Values } from './warehouse-form'

type Props = {
  /** Those that can be connected; while editing, the warehouse's own. */
  providers: readonly [Provider, ...Provider[]]
  details: WarehouseDetails | null
  onSaved: (details: WarehouseDetails) => void
  onPending: (pending: boolean) => void
  onClose: () => void
}

export function WarehouseForm({ providers, details, onSaved, onPending, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const [provider, setProvider] = useState(providers[0])
  const { tested, run } = useSaveWarehouse({ details, onSaved, onClose })
  const action = useRef<SaveAction>('save')
  const defaultValues = toForm(providers, details)
  const form = useApiForm<Values>({
    schema: warehouseSchema(provider),
    defaultValues,
    // The server's field names are the form's.
    serverNames: Object.fromEntries(Object.keys(defaultValues).map((name) => [name, name])),
    failureToast: t(details ? 'toasts.updateFailed' : 'toasts.addFailed'),
    submit: async (given) => {
      onPending(true)
      try {
        await run(action.current, provider, given)
      } finally {
        onPending(false)
      }
    },
  })
  const { register, handleSubmit, setValue, clearErrors, control, formState, mutation } = form
  const values = useWatch({ control }) as Values
  const missing = provider.fields.filter((field) => isRequired(provider, field, values) && !values[field.name]?.trim())
  const start = (next: SaveAction) => {
    action.current = next
    void handleSubmit(async (given) => {
      await mutation.mutate(given)
    })()
  }
  const incomplete =
    missing.length > 0
      ? t('form.missing', { fields: missing.map(({ label }) => label).join(t('form.separator')) })
      : null
  const cause = tested ? tested.error : details?.status === NOT_CONNECTED ? details.lastError : null

  return (
    <Form className={styles.form} onSubmit={() => start('save')}>
      <DialogContent>
        <Stack>
          {cause && !mutation.isPending ? (
            <FormError takesFocus={tested !== null}>
              {t(tested ? 'form.testFailed' : 'form.notConnected', { cause })}
            </FormError>
          ) : null}
          <TypePicker
            providers={providers}
            chosen={provider}
            locked={details !== null}
            onChange={(next) => {
              setProvider(next)
              clearErrors()
            }}
          />
          <p className="t-soft">
            {t('form.help', { type: provider.name })} {/* Opens in a new tab, so that the form keeps what was typed. */}
            <Link to={`/faq#${provider.section}`} target="_blank" rel="noopener">
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
          {provider.keyFile ? (
            <KeyFileField
              file={provider.keyFile}
              fields={provider.fields}
              onRead={(read) => {
                for (const [field, value] of Object.entries(read)) {
                  setValue(field, value, { shouldDirty: true, shouldValidate: true })
                }
              }}
            />
          ) : null}
          <CredentialFields
            key={provider.type}
            provider={provider}
            values={values}
            register={register}
            errors={formState.errors}
          />
          {mutation.isPending ? <Status role="status">{t('form.checking', { type: provider.name })}</Status> : null}
          {tested?.connected && !mutation.isPending ? (
            <p className={styles.works} role="status">
              {t('form.works', { type: provider.name })}
            </p>
          ) : null}
          {tested?.letsBrowsersRead === false && !mutation.isPending ? (
            <p className="t-soft">
              {t('form.browsers')}{' '}
              <Link to={`/faq#${provider.section}`} target="_blank" rel="noopener">
                {t('form.browsersLink')}
              </Link>
            </p>
          ) : null}
        </Stack>
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
  providers: readonly Provider[]
  chosen: Provider
  /** The type of a stored warehouse cannot change. */
  locked: boolean
  onChange: (provider: Provider) => void
}

function TypePicker({ providers, chosen, locked, onChange }: TypePickerProps) {
  const { t } = useTranslation('warehouses')
  if (locked) {
    return (
      <div className="t-line">
        <ProviderMark type={chosen.type} small />
        <strong>
          <bdi>{chosen.name}</bdi>
        </strong>
        <span className="t-soft">{t('form.typeStays')}</span>
      </div>
    )
  }
  return (
    <Tiles
      legend={t('fields.type')}
      value={chosen.type}
      options={providers.map((provider) => ({
        value: provider.type,
        label: <bdi>{provider.name}</bdi>,
        picture: <ProviderMark type={provider.type} small />,
      }))}
      onChange={(type) => onChange(providers.find((provider) => provider.type === type) ?? chosen)}
    />
  )
}
