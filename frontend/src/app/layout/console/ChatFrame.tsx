import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChatIcon, CloseIcon } from '@/components/icons'
import styles from './ChatFrame.module.css'

// A frame of our own origin that may run scripts could take its sandbox off.
function sandboxOf(url: string): string {
  const own = new URL(url, window.location.href).origin === window.location.origin
  return own ? 'allow-scripts allow-forms' : 'allow-scripts allow-forms allow-popups allow-same-origin'
}

// Where browsers know it, the frame gets a store of its own that dies with it, and the conversation too.
const ephemeral = { credentialless: true }

/**
 * The chat in a frame that cannot reach into the console. It is fetched when first opened, goes
 * on while one moves between screens, and is gone with the console at logout.
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
