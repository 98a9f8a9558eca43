import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import styles from './tabs.module.css'

export type MemberTab = 0 | 1

const tabs = [
  [0, 'registered'],
  [1, 'invited'],
] as const

type Props = {
  tab: MemberTab
  totals: Record<MemberTab, number | undefined>
  onChange: (tab: MemberTab) => void
  children: ReactNode
}

/** Two tabs; the arrow keys move between them. */
export function MemberTabs({ tab, totals, onChange, children }: Props) {
  const { t } = useTranslation('members')
  const id = useId()

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    const next = event.key === 'Home' ? 0 : event.key === 'End' || tab === 0 ? 1 : 0
    onChange(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }

  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={t('tabs.label')} onKeyDown={onKeyDown}>
        {tabs.map(([index, name]) => (
          <button
            key={name}
            id={`${id}-${index}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={index === tab}
            aria-controls={`${id}-panel`}
            tabIndex={index === tab ? 0 : -1}
            onClick={() => onChange(index)}
          >
            {t(`tabs.${name}`)}{' '}
            {totals[index] === undefined ? null : <span className={styles.total}>{formatNumber(totals[index])}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`}>
        {children}
      </div>
    </>
  )
}
