import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useStore } from '@/lib/create-store'
import { toastStore, type Toast, type ToastKind } from './toast'
import styles from './Toasts.module.css'

const signs: Record<ToastKind, string> = {
  success: 'M4 10.5l4 4 8-9',
  error: 'M10 4v8M10 15.5v.5',
  warning: 'M10 4v8M10 15.5v.5',
  info: 'M10 9v7M10 4.5v.5',
}

function ToastCard({ item }: { item: Toast }) {
  const { t } = useTranslation()
  return (
    <div className={`${styles.toast} ${styles[item.kind]}`} role={item.kind === 'error' ? 'alert' : undefined}>
      <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
        <path d={signs[item.kind]} fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <span className={styles.text}>{item.text}</span>
      <button
        type="button"
        className={styles.close}
        aria-label={t('actions.dismiss')}
        onClick={() => {
          toastStore.dismiss(item.id)
        }}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  )
}

// MUI hides everything outside an open dialog from screen readers, without exceptions.
function stayAudible(region: HTMLElement): MutationObserver {
  const observer = new MutationObserver(() => region.removeAttribute('aria-hidden'))
  observer.observe(region, { attributeFilter: ['aria-hidden'] })
  return observer
}

/**
 * The region stays in the page while empty: screen readers announce only what appears in a region they know.
 * It stands beside the app, not in it: what is around a dialog is hidden as a whole.
 */
export function Toasts() {
  const { t } = useTranslation()
  const toasts = useStore(toastStore)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const observer = region.current && stayAudible(region.current)
    return () => observer?.disconnect()
  }, [])
  return createPortal(
    <section
      ref={region}
      className={styles.region}
      aria-label={t('toasts.label')}
      aria-live="polite"
      onMouseEnter={toastStore.pause}
      onMouseLeave={toastStore.resume}
      onFocus={toastStore.pause}
      onBlur={toastStore.resume}
    >
      {toasts.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>,
    document.body,
  )
}
