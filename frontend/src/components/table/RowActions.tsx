import { lazy, startTransition, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowAction } from './column'
import iconButton from '../IconButton.module.css'
import styles from './table.module.css'

const loadMenu = () => import('./RowMenu')
const RowMenu = lazy(loadMenu)

type Props = { name: string; actions: RowAction[] }

export function RowActions({ name, actions }: Props) {
  const { t } = useTranslation('table')
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [used, setUsed] = useState(false)
  if (actions.length === 0) return null
  return (
    <>
      <button
        type="button"
        className={`${iconButton.round} ${styles.more}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={t('actions.of', { name })}
        // Loads the menu on hover, before it is clicked.
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={({ currentTarget }) =>
          // The pressed button is painted first: the menu takes longer.
          startTransition(() => {
            setUsed(true)
            setAnchor(currentTarget)
          })
        }
      >
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
          <circle cx="10" cy="4" r="1.7" />
          <circle cx="10" cy="10" r="1.7" />
          <circle cx="10" cy="16" r="1.7" />
        </svg>
      </button>
      <Suspense fallback={null}>
        {used ? (
          <RowMenu
            label={t('actions.of', { name })}
            anchor={anchor}
            actions={actions}
            onClose={() => setAnchor(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
