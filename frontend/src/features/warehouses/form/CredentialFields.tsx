import { useId, useState, type ComponentProps } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, FieldFrame, type FieldProps } from '@/components/forms/Field'
import { RevealButton } from '@/components/forms/RevealButton'
import { isRequired, type Provider, type ProviderField } from '../providers'
import styles from './form.module.css'
import type { WarehouseForm } from './warehouse-form'

type Props = {
  provider: Provider
  values: WarehouseForm
  register: UseFormRegister<WarehouseForm>
  errors: FieldErrors<WarehouseForm>
}

/** What a provider asks for, as it describes it. */
export function CredentialFields({ provider, values, register, errors }: Props) {
  const id = useId()

  function input(field: ProviderField) {
    const list = field.suggestions.length > 0 ? `${id}-${field.name}` : undefined
    const shared = {
      label: field.label,
      hint: field.hint ?? undefined,
      error: errors[field.name]?.message,
      required: isRequired(provider, field, values),
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      dir: 'ltr',
      ...register(field.name),
    }
    if (field.multiLine) return <KeyField {...shared} />
    if (field.secret) return <SecretField {...shared} />
    return (
      <>
        <Field list={list} {...shared} />
        {list ? (
          <datalist id={list}>
            {field.suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        ) : null}
      </>
    )
  }

  return (
    <div className={styles.fields}>
      {provider.fields.map((field) => (
        <div key={field.name} data-wide={field.wide}>
          {input(field)}
        </div>
      ))}
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
