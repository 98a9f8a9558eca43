import { useId, useState, type ComponentProps } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, FieldFrame, type FieldProps } from '@/components/forms/Field'
import { RevealButton } from '@/components/forms/RevealButton'
import type { WarehouseType } from '../warehouse-type'
import { fieldsOf, hintKey, isRequired, isSecret, isWide, labelKey, type FieldName, type FieldValues } from './fields'
import styles from './form.module.css'
import type { WarehouseForm } from './warehouse-form'

/** Suggestions; any other region can be entered too. */
const AWS_REGIONS = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'sa-east-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
]

type Props = {
  type: WarehouseType
  values: FieldValues
  register: UseFormRegister<WarehouseForm>
  errors: FieldErrors<WarehouseForm>
}

const regionList = 'warehouse-regions'

/** The fields of one type, as the specification names them. */
export function CredentialFields({ type, values, register, errors }: Props) {
  const { t } = useTranslation('warehouses')

  function input(field: FieldName) {
    const hint = hintKey(type, field)
    const shared = {
      label: t(labelKey(type, field)),
      hint: hint ? t(hint) : undefined,
      error: errors[field]?.message,
      required: isRequired(type, field, values),
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      dir: 'ltr',
      ...register(field),
    }
    if (field === 'privateKey') return <KeyField {...shared} />
    if (isSecret(field)) return <SecretField {...shared} />
    return <Field list={field === 'region' ? regionList : undefined} {...shared} />
  }

  return (
    <div className={styles.fields}>
      {fieldsOf(type).map((field) => (
        <div key={field} data-wide={isWide(type, field)}>
          {input(field)}
        </div>
      ))}
      <datalist id={regionList}>
        {AWS_REGIONS.map((region) => (
          <option key={region} value={region} />
        ))}
      </datalist>
    </div>
  )
}

type KeyFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'className'> & {
  label: string
  error?: string | undefined
  hint?: string | undefined
}

/** A multi-line key; a single-line field would join the lines. */
function KeyField({ label, error, hint, ...area }: KeyFieldProps) {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        id={id}
        className={styles.area}
        data-masked={!shown}
        rows={4}
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? `${id}-below` : undefined}
        {...area}
      />
      <RevealButton label={t('secret.showOf', { field: label })} shown={shown} onToggle={() => setShown(!shown)} />
    </FieldFrame>
  )
}

type SecretFieldProps = Omit<FieldProps, 'type' | 'end'>

/** A provider's credential. It is not the user's password, so browsers should not offer to save it. */
function SecretField(props: SecretFieldProps) {
  const { t } = useTranslation('warehouses')
  const [shown, setShown] = useState(false)
  return (
    <Field
      data-1p-ignore
      data-lpignore="true"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <RevealButton
          label={t('secret.showOf', { field: props.label })}
          shown={shown}
          onToggle={() => setShown(!shown)}
        />
      }
    />
  )
}
