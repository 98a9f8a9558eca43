import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChatIcon } from '@/components/icons/ChatIcon'
import { CloseIcon } from '@/components/icons/CloseIcon'
import styles from './ChatFrame.module.css'

// A same-origin frame that may run scripts could remove its own sandbox.
function sandboxOf(url: string): string {
  const own = new URL(url, window.location.href).origin === window.location.origin
  return own ? 'allow-scripts allow-forms' : 'allow-scripts allow-forms allow-popups allow-same-origin'
}

// In browsers that support it, the frame's storage is separate and is deleted with the frame.
const ephemeral = { credentialless: true }

/**
 * The chat in a frame that cannot access the console. It is loaded when first opened, stays open
 * across screens, and is removed at logout.
 */
export default function ChatFrame({ url }: { url: string }) {
  const { t } = useTranslation('console')
  const [open, setOpen] = useState(false)
  const [started, setStarted] = useState(false)

  function toggle() {
    setStarted(true)
    setOpen(!open)
  }

  return (
    <aside
      aria-label={t('chat.title')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {started && (
        <iframe
          className={styles.frame}
          hidden={!open}
          src={url}
          title={t('chat.title')}
          sandbox={sandboxOf(url)}
          referrerPolicy="origin"
          {...ephemeral}
        />
      )}
      <button
        type="button"
        className={styles.button}
        onClick={toggle}
        aria-expanded={open}
        aria-label={t(open ? 'chat.close' : 'chat.open')}
      >
        {open ? <CloseIcon /> : <ChatIcon />}
      </button>
    </aside>
  )
}
