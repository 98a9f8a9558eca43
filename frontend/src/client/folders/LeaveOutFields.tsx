import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField, Field } from '@/components/forms/Field'
import { Failure } from '../Failure'
import { Name } from '../Name'
import { useErrorText } from '../use-call'
import { useSpaceFolder } from '../use-folder'
import styles from './folders.module.css'

export type LeftOut = { subfolders: string[]; patterns: string }

type Props = { space: string; path: string; value: LeftOut; onChange: (value: LeftOut) => void }

/** Which subfolders and which names a synchronised folder does not have. */
export function LeaveOutFields({ space, path, value, onChange }: Props) {
  const { t } = useTranslation('client')
  const id = useId()
  const textOf = useErrorText()
  const { folder, error } = useSpaceFolder(space, path.replace(/^\/+|\/+$/g, ''))
  // A folder that is left out here may be gone from the space.
  const names = [...new Set([...(folder?.folders ?? []), ...value.subfolders])].sort((a, b) => a.localeCompare(b))
  return (
    <>
      <Failure text={error ? textOf(error) : undefined} />
      {names.length > 0 ? (
        <div role="group" aria-labelledby={id} className="t-grid">
          <strong id={id}>{t('folders.subfolders')}</strong>
          <ul className={styles.subfolders}>
            {names.map((name) => (
              <li key={name}>
                <CheckField
                  label={<Name>{name}</Name>}
                  checked={value.subfolders.includes(name)}
                  onChange={({ target }) => {
                    const others = value.subfolders.filter((each) => each !== name)
                    onChange({ ...value, subfolders: target.checked ? [...others, name] : others })
                  }}
                />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Field
        label={t('backups.patterns')}
        hint={t('backups.patternsHint')}
        value={value.patterns}
        dir="ltr"
        spellCheck={false}
        onChange={({ target }) => onChange({ ...value, patterns: target.value })}
      />
    </>
  )
}

export function bodyOf({ subfolders, patterns }: LeftOut) {
  return { subfolders, patterns: patterns.split(',') }
}
