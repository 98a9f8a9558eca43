import { useTranslation } from 'react-i18next'
import { SandboxIcon } from '@/components/icons'
import { Tip } from '@/components/Tip'
import styles from './SideMenu.module.css'

/** Tells where the codes of the sandbox arrive. The outbox is a page of the server. */
export function SandboxNote({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation('console')
  return (
    <Tip text={narrow ? t('menu.sandbox') : ''} beside keyboardOnly>
      <a className={`${styles.item} ${styles.note}`} href="/sandbox/outbox" target="_blank" rel="noopener">
        <SandboxIcon />
        <span className={styles.label}>{t('menu.sandbox')}</span>
      </a>
    </Tip>
  )
}
