import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import type { WarehouseType } from '../warehouse-type'
import { AWS_REGIONS } from './aws-regions'
import { fieldsOf, hintKey, isRequired, isSecret, isWide, labelKey, type FieldName } from './fields'
import styles from './form.module.css'
import { KeyField } from './KeyField'
import { SecretField } from './SecretField'
import type { WarehouseForm } from './warehouse-form'

type Props = { type: WarehouseType; register: UseFormRegister<WarehouseForm>; errors: FieldErrors<WarehouseForm> }

const regionList = 'warehouse-regions'

/** The fields of one type, as the specification names them. */
export function CredentialFields({ type, register, errors }: Props) {
  const { t } = useTranslation('warehouses')

  function input(field: FieldName) {
    const hint = hintKey(type, field)
    const shared = {
      label: t(labelKey(type, field)),
      hint: hint ? t(hint) : undefined,
      error: errors[field]?.message,
      required: isRequired(type, field),
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
