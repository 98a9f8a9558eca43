import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/IconButton'
import { CloseIcon } from '@/components/icons/CloseIcon'
import styles from './SelectionBar.module.css'
import type { Selection } from './use-selection'

type Props = {
  selection: Selection
  /** What can be done with the chosen rows. */
  actions: ReactNode
  /** What stands there while nothing is chosen. */
  children?: ReactNode
}

export function SelectionBar({ selection, actions, children }: Props) {
  const { t } = useTranslation('client')
  const place = useRef<HTMLDivElement>(null)
  const count = selection.rows.length
  const words = count > 0 ? t('select.count', { count }) : ''
  return (
    <div className={styles.place} ref={place} tabIndex={-1}>
      <p className="t-hidden" role="status">
        {words}
      </p>
      {count > 0 ? (
        <div className={`t-line ${styles.bar}`} role="group" aria-label={t('select.actions')}>
          <IconButton
            label={t('select.clear')}
            onClick={() => {
              // The button disappears.
              place.current?.focus()
              selection.clear()
            }}
          >
            <CloseIcon />
          </IconButton>
          <strong className={styles.count}>{words}</strong>
          {actions}
        </div>
      ) : (
        children
      )}
    </div>
  )
}
