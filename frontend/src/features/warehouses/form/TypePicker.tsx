import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ProviderMark } from '../ProviderMark'
import { typeName, WAREHOUSE_TYPES, type WarehouseType } from '../warehouse-type'
import styles from './form.module.css'

type Props = {
  type: WarehouseType
  /** Of one that is stored the type stays. */
  locked: boolean
  onChange: (type: WarehouseType) => void
}

export function TypePicker({ type, locked, onChange }: Props) {
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
