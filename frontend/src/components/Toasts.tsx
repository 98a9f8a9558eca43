import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useStore } from '@/lib/create-store'
import { openDialogs } from './dialog/open-dialogs'
import type { Icon } from './icons/create-icon'
import { AttentionIcon } from './icons/AttentionIcon'
import { CheckIcon } from './icons/CheckIcon'
import { CloseIcon } from './icons/CloseIcon'
import { InfoIcon } from './icons/InfoIcon'
import { toastStore, type Toast, type ToastKind } from './toast'
import styles from './Toasts.module.css'

const icons: Record<ToastKind, Icon> = {
  success: CheckIcon,
  error: AttentionIcon,
  warning: AttentionIcon,
  info: InfoIcon,
}

function ToastCard({ item }: { item: Toast }) {
  const { t } = useTranslation()
  const Icon = icons[item.kind]
  return (
    <div className={`${styles.toast} ${styles[item.kind]}`} role={item.kind === 'error' ? 'alert' : undefined}>
      <Icon className={styles.icon} />
      <span className={styles.text}>
        {item.text}
        {item.detail ? <span className={styles.detail}>{item.detail}</span> : null}
      </span>
      <button
        type="button"
        className={styles.close}
        aria-label={t('actions.dismiss')}
        onClick={() => {
          toastStore.dismiss(item.id)
        }}
      >
        <CloseIcon />
      </button>
    </div>
  )
}

/** The region stays in the page while empty: screen readers announce only what appears in a region they know. What is
 *  outside a modal dialog is neither heard nor pressed, so an open dialog has its own region. */
export function Toasts() {
  const toasts = useStore(toastStore)
  const dialog = useStore(openDialogs).at(-1)
  return (
    <>
      {createPortal(<Region toasts={dialog ? [] : toasts} inert={dialog !== undefined} />, document.body)}
      {dialog ? createPortal(<Region toasts={toasts} />, dialog) : null}
    </>
  )
}

function Region({ toasts, inert = false }: { toasts: readonly Toast[]; inert?: boolean }) {
  const { t } = useTranslation()
  // A dialog may close under the pointer.
  useEffect(() => toastStore.resume, [])
  return (
    <section
      className={styles.region}
      inert={inert}
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
    </section>
  )
}
