import { useTranslation } from 'react-i18next'
import styles from './PathList.module.css'
import { Name } from './Name'

type Props = {
  paths: string[]
  /** How many are not listed. */
  more: number
}

/** The first of many files. */
export function PathList({ paths, more }: Props) {
  const { t } = useTranslation('client')
  if (paths.length === 0) return null
  return (
    // Focusable, because it may have to be scrolled by the keyboard.
    <ul className={styles.paths} tabIndex={0}>
      {paths.map((path) => (
        <li key={path}>
          <Name dir="ltr">{path}</Name>
        </li>
      ))}
      {more > 0 ? <li>{t('backups.more', { count: more })}</li> : null}
    </ul>
  )
}
